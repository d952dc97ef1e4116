import type { CommandUnknownOpts } from '@commander-js/extra-typings';

type Option = CommandUnknownOpts['options'][number];

// What the last line means to the scripts of the shells.
const noSpace = 2;
const noFiles = 4;

interface Candidate {
  readonly word: string;
  readonly description?: string;
}

/** What can be typed at one place of a command line. */
interface Place {
  readonly candidates: readonly Candidate[];
  readonly takesFile?: boolean;
}

/**
 * Prints what can follow the words after `--`, of which the last is the one being typed: a candidate and its
 * description per line, then what the script has to know about them.
 */
export function complete(program: CommandUnknownOpts, argv: readonly string[]): void {
  const words = argv.slice(argv.indexOf('--') + 1);
  const current = words.at(-1) ?? '';
  const { candidates, takesFile = false } = placeAfter(program, words.slice(0, -1), current);
  const typed = current.startsWith('--') ? current.slice(current.indexOf('=') + 1) : current;
  const fitting = candidates.filter(({ word }) => word.startsWith(typed));
  const isOpen = fitting.some(({ word }) => word.endsWith('='));
  const lines = fitting.map(({ word, description = '' }) => `${word}\t${description}\n`);
  const directive = (isOpen ? noSpace : 0) + (takesFile ? 0 : noFiles);
  process.stdout.write(`${lines.join('')}:${directive}\n`);
}

function placeAfter(program: CommandUnknownOpts, before: readonly string[], current: string): Place {
  let command = program;
  let awaiting: Option | undefined;
  let position = 0;
  for (const word of before) {
    if (word.startsWith('-')) {
      const option = optionOf(command, word);
      awaiting = option !== undefined && takesValue(option) && !word.includes('=') ? option : undefined;
    } else if (awaiting !== undefined) {
      if (!awaiting.variadic) awaiting = undefined;
    } else {
      const subcommand = command.commands.find((each) => each.name() === word);
      if (subcommand === undefined) position += 1;
      else command = subcommand;
    }
  }
  if (current.startsWith('-')) {
    const option = current.includes('=') ? optionOf(command, current) : undefined;
    return option === undefined
      ? optionsOf(command)
      : valuesOf(option, current.slice(current.indexOf('=') + 1));
  }
  return awaiting === undefined ? argumentsOf(command, position) : valuesOf(awaiting, current);
}

function optionOf(command: CommandUnknownOpts, word: string): Option | undefined {
  const [flag] = word.split('=', 1);
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function optionsOf(command: CommandUnknownOpts): Place {
  const options = command.createHelp().visibleOptions(command);
  return {
    candidates: options.flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ word: long, description }],
    ),
  };
}

/** The values of an option: choices that end with `=` are followed by the name of a file. */
function valuesOf({ argChoices = [], flags }: Option, current: string): Place {
  if (argChoices.some((choice) => current.startsWith(choice) && choice.endsWith('='))) {
    return { candidates: [], takesFile: true };
  }
  const [, placeholder = ''] = /[<[]([^\]>.]+)/.exec(flags) ?? [];
  return { candidates: argChoices.map((word) => ({ word })), takesFile: isFile(placeholder) };
}

function argumentsOf(command: CommandUnknownOpts, position: number): Place {
  if (command.commands.length > 0) {
    const commands = command.createHelp().visibleCommands(command);
    return {
      candidates: commands.map((each) => ({
        word: each.name(),
        description: each.summary() || each.description(),
      })),
    };
  }
  const known = command.registeredArguments;
  const last = known.at(-1);
  const argument = known[position] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return { candidates: [] };
  return {
    candidates: (argument.argChoices ?? []).map((word) => ({ word })),
    takesFile: isFile(argument.name()),
  };
}

/** Whether a placeholder such as `<file>` or `<rule-id-or-definition>` names a file or a folder. */
function isFile(placeholder: string): boolean {
  return /(^|-)(file|folder|path|definition|manifest)$/.test(placeholder);
}
