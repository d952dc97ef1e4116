import { Command } from '@commander-js/extra-typings';

import { CliError } from '../../cli-error.ts';
import { saveProfile } from '../../config-file.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { readLine } from '../../read-line.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq auth login`. */
export const login = (session: Session) =>
  new Command('login')
    .description(
      'Reads a key without showing it, from the terminal or standard input, and keeps it in a profile that only you can read.',
    )
    .option('--profile <name>', 'default default')
    .option('--base-url <url>', 'address of the service, kept beside the key')
    .option('-a, --asset <id>', 'data asset that commands use if none is named, kept beside the key')
    .option('--json', 'print where the key is kept as JSON')
    .addHelpText('after', examples)
    .action(async ({ profile = 'default', baseUrl, asset, json }) => {
      if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
        throw new CliError(exitCode.usage, '--base-url is not an absolute http or https URL.');
      }
      const key = (await readLine('Key: ', { hidden: true, signal: session.signal }))?.trim() ?? '';
      if (!/^[\x21-\x7e]+$/.test(key)) {
        throw new CliError(
          exitCode.key,
          'This is not a key: it is empty, or has a space, a line break or another character no key has.',
        );
      }
      const path = await saveProfile(profile, {
        api_key: key,
        ...(baseUrl !== undefined && { base_url: baseUrl }),
        ...(asset !== undefined && { asset }),
      });
      print(
        json,
        { profile, path },
        () => `The key is kept in the profile ${profile} of ${path}. Try it: dq doctor`,
      );
    });

const examples = `
Examples:
  $ dq auth login --base-url https://dq.example.com
  $ dq auth login --profile production < key.txt`;
