import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

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
  return new Option('--environment <name>', 'environment of the definition whose values its variables take');
}

/** `--tag`, to select by the tags of a definition. */
export function tagFlag() {
  return new Option('--tag <tags...>', 'only what the definition gives one of these tags');
}

/** `--owner`, to select by the owners of a definition. */
export function ownerFlag() {
  return new Option('--owner <owners...>', 'only what the definition gives one of these owners');
}
