import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

import type { Definition, ParseFilesOptions } from '../rules/index.ts';
import { readText } from './text-file.ts';

/** Reads a definition from files the user named. Ends the command if one cannot be read or is not valid. */
export async function readDefinition(
  files: readonly string[],
  options: ParseFilesOptions = {},
): Promise<Definition> {
  const { parseDefinitions } = await import('../rules/index.ts');
  const texts = await Promise.all(files.map(async (source) => ({ source, text: await readText(source) })));
  return parseDefinitions(texts, options);
}

/** `--var`, for values of the variables of a definition. */
export function variableFlag() {
  return new Option('--var <name=value>', 'value of a variable of the definition; may be repeated').argParser(
    (written: string, before: Readonly<Record<string, string>> | undefined) => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(written) ?? [];
      if (name === undefined || value === undefined)
        throw new InvalidArgumentError('Write it as name=value.');
      return { ...before, [name]: value };
    },
  );
}

/** `--environment`, for the values of variables that apply in one environment. */
export function environmentFlag() {
  return new Option('--environment <name>', 'environment of the definition whose values of variables apply');
}
