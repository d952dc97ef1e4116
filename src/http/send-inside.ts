import type { RequestEvent } from './hooks.ts';
import { reportFailure } from './notify.ts';
import { invalidHeaders } from './request-options.ts';
import type { Settings } from './settings.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Sends an attempt from inside of every hook `aroundSend`, the first one outermost, with the headers they add. It is sent
 * once, and before this function returns, whatever they do.
 */
export function sendInside<Result>(
  { hooks, log }: Pick<Settings, 'hooks' | 'log'>,
  event: RequestEvent,
  send: (headers: Headers) => Result,
): Result {
  const around = hooks.flatMap(({ aroundSend }) => aroundSend ?? []);
  let sent: { readonly result: Result } | undefined;

  const enter = (depth: number, headers: Headers): { readonly result: Result } => {
    const hook = around[depth];
    if (hook === undefined) return (sent ??= { result: send(headers) });
    try {
      hook(event, (added = {}) => {
        const problem = invalidHeaders(added);
        if (problem !== undefined) throw new TypeError(`headers: ${problem}`);
        enter(depth + 1, { ...headers, ...added });
      });
    } catch (error) {
      reportFailure(log, 'aroundSend', error);
    }
    return sent ?? enter(depth + 1, headers);
  };
  return enter(0, {}).result;
}
