import { exitCode } from '../judgement/exit-code.ts';
import { CliError } from './cli-error.ts';

/** Databases by the names of their assets. */
export type Sources = Readonly<Record<string, string>>;

/**
 * Writes the address of a source for a file: in place of a password stands a variable of the environment, named for the
 * source.
 */
export function withoutPassword(name: string, url: string): { url: string; variable: string | undefined } {
  const variable = `${name.toUpperCase().replaceAll(/\W+/g, '_')}_PASSWORD`;
  let isReplaced = false;
  const replace = (whole: string, before: string, password: string, after: string) => {
    if (password === '' || /^\$\{\w+\}$/.test(password)) return whole;
    isReplaced = true;
    return `${before}\${${variable}}${after}`;
  };
  const written = url
    .replace(/^(\w+:\/\/[^/?#@:]*:)([^/?#]*)(@)/, replace)
    .replace(/([?&]password=)([^&#]*)()/, replace);
  return { url: written, variable: isReplaced ? variable : undefined };
}

/** Reads `name=url`; without a name, the asset is called as its database. */
export function sourceFlag(written: string, before: Sources): Sources {
  // The errors of commander repeat what was written, which may contain a password.
  const [, given, url = ''] = /^(?:([^=:/]+)=)?(\S+)$/.exec(written) ?? [];
  const name = given ?? /^[a-z]+:\/\/[^/?#]*\/([^/?#]+)/.exec(url)?.[1];
  if (name === undefined || !(/^[a-z]+:\/\//.test(url) || /^\$\{\w+\}$/.test(url))) {
    throw new CliError(
      exitCode.usage,
      'Write --source name=url, such as --source shop=postgres://reader@host/database.',
    );
  }
  if (Object.hasOwn(before, name))
    throw new CliError(exitCode.usage, `--source: there is already a source ${name}.`);
  return { ...before, [name]: url };
}
