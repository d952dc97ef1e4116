import type { Hooks, ObserverName } from './hooks.ts';
import type { Settings } from './settings.ts';

/** Calls the hooks of a name. What they throw is logged and changes nothing. */
export function notify<Name extends ObserverName>(
  { hooks, log }: Pick<Settings, 'hooks' | 'log'>,
  name: Name,
  event: Parameters<NonNullable<Hooks[Name]>>[0],
): void {
  const report = (error: unknown): void => reportFailure(log, name, error);
  for (const { [name]: given } of hooks) {
    // A type parameter for the name keeps TypeScript from seeing that the event is the one of its hook.
    const hook = given as ((observed: typeof event) => unknown) | undefined;
    try {
      const returned = hook?.(event);
      // An async function is a hook too, and nobody else would notice that it failed.
      if (returned instanceof Promise) returned.catch(report);
    } catch (error) {
      report(error);
    }
  }
}

/** Logs that a hook threw. */
export function reportFailure(log: Settings['log'], name: keyof Hooks, error: unknown): void {
  log.error?.(`the hook ${name} threw: ${String(error)}`);
}
