import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Databases by the names of their assets. */
export type Sources = Readonly<Record<string, string>>;

/** Reads `name=url`; without a name, the asset is called as its database. */
export function sourceFlag(written: string, before: Sources): Sources {
  // An error must not repeat the address, which may hold a password.
  const [, given, url = ''] = /^(?:([^=:/]+)=)?(\S+)$/.exec(written) ?? [];
  const name = given ?? /^[a-z]+:\/\/[^/?#]*\/([^/?#]+)/.exec(url)?.[1];
  if (name === undefined || !(/^[a-z]+:\/\//.test(url) || /^\$\{\w+\}$/.test(url))) {
    throw new InvalidArgumentError('Write name=url, such as shop=postgres://reader@host/database.');
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`There is already a source ${name}.`);
  return { ...before, [name]: url };
}
