import type { Hooks, Settings } from './settings.ts';

/** Calls a hook. What it throws is logged and changes nothing. */
export function notify<Name extends keyof Hooks>(
  { hooks, log }: Pick<Settings, 'hooks' | 'log'>,
  name: Name,
  event: Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  // A type parameter for the name keeps TypeScript from seeing that the event is the one of its hook.
  const hook = hooks[name] as ((observed: typeof event) => unknown) | undefined;
  if (hook === undefined) return;
  const report = (error: unknown): void => log.error?.(`the hook ${name} threw: ${String(error)}`);
  try {
    const returned = hook(event);
    // An async function is a hook too, and nobody else would notice that it failed.
    if (returned instanceof Promise) returned.catch(report);
  } catch (error) {
    report(error);
  }
}
