import { InvalidArgumentError } from '@commander-js/extra-typings';

import { exitCodeOfOutcome } from '../../judgement/exit-code.ts';
import { formatPercent } from '../../judgement/percent.ts';
import { judgeSla } from '../../judgement/sla.ts';
import type { Sla } from '../../report/sla.ts';
import { assetCommand, connectToAsset } from '../connection.ts';
import { describeDuration } from '../duration.ts';
import { requestLocal } from '../local-endpoint.ts';
import { wholeNumber } from '../number.ts';
import type { Session } from '../session.ts';
import { paintedBy } from '../status.ts';
import { table } from '../table.ts';
import { message, print } from '../terminal.ts';

/** `dq sla`. */
export const create = (session: Session) =>
  assetCommand('sla')
    .description(
      'show how much of the past weeks the data of an asset was fresh (local service only); exit code 0 if the target is met, 1 if not, 6 if nothing is known yet',
    )
    .option('--weeks <n>', 'how many weeks, this one included; default 4', wholeNumber(1))
    .option(
      '--target <percent>',
      'percent of the time that the data is to be fresh; default target_percent in dq.json, or 99',
      percentage,
    )
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const request = {
        method: 'GET',
        path: `assets/${encodeURIComponent(asset)}/sla`,
        query: { weeks: options.weeks, target_percent: options.target },
        missing,
      } as const;
      const sla = await requestLocal<Sla>(client, request, session.signal);
      const { outcome, reason } = judgeSla(sla);
      print(options.json, sla, () => describe(sla));
      if (reason !== undefined) message(`${outcome}: ${reason}`);
      session.exitCode = exitCodeOfOutcome(outcome);
    });

/** Reads a percentage that can be a target. */
function percentage(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && value < 100) return value;
  throw new InvalidArgumentError('Give a percentage above 0 and below 100, such as 99.5.');
}

function describe(sla: Sla): string {
  const rows = sla.weeks.map((week) => [
    week.week,
    week.fresh_percent === null
      ? undefined
      : paintedBy(judgeSla({ ...sla, ...week }).outcome, formatPercent(week.fresh_percent)),
    lasting(week.stale_minutes),
    lasting(week.unknown_minutes),
    lasting(week.unobserved_minutes),
    week.longest_breach === null ? undefined : lasting(week.longest_breach.minutes),
  ]);
  const head = ['WEEK OF', 'FRESH', 'STALE', 'UNKNOWN', 'NOT OBSERVED', 'LONGEST BREACH'];
  return [table(head, rows, [1, 2, 3, 4, 5]), '', ...summary(sla)].join('\n');
}

function summary({
  fresh_percent: fresh,
  target_percent: target,
  longest_breach: longest,
  error_budget: budget,
  observed_since: since,
}: Sla): readonly string[] {
  if (fresh === null || budget === null) return [`Target ${target} %. Nothing is known yet.`];
  const { allowed_minutes: allowed, remaining_minutes: left } = budget;
  return [
    `Fresh ${formatPercent(fresh)} of the time that is known, since ${since}; target ${target} %.`,
    left < 0
      ? `Error budget: overspent by ${lasting(-left)} (${lasting(allowed)} allowed).`
      : `Error budget: ${lasting(left)} of ${lasting(allowed)} left.`,
    longest === null
      ? 'No breach.'
      : `Longest breach: ${lasting(longest.minutes)}, ${longest.from} to ${longest.until}.`,
  ];
}

function lasting(minutes: number): string {
  return minutes === 0 ? '0' : describeDuration(minutes * 60_000);
}

const missing =
  'This service keeps no past of its freshness: only the local service does. `dq freshness get` shows how it is now.';

const examples = `
Examples:
  $ dq sla --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01
  $ dq sla --weeks 13 --target 99.5
  $ dq sla --json | jq '.weeks[] | [.week, .fresh_percent]'`;
