import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { Instrument, Played, Stage } from './instrument.ts';
import { calls, hold, patient } from './promises.ts';
import type { Random } from './random.ts';
import { startRawService } from './raw-service.ts';
import { frame, framings } from './wire-formats.ts';

/** What happens to a response at one of its bytes. */
type Fault = (socket: Socket, response: Buffer, at: number, random: Random) => void;

const faults: Readonly<Record<string, Fault>> = {
  cut: (socket, response, at) => socket.end(response.subarray(0, at)),
  reset(socket, response, at) {
    socket.write(response.subarray(0, at), () => socket.resetAndDestroy());
  },
  stall: (socket, response, at) => socket.write(response.subarray(0, at)),
  garbage(socket, response, at, random) {
    socket.end(
      Buffer.concat([response.subarray(0, at), random.bytes(1 + random.below(40)), response.subarray(at)]),
    );
  },
  flip(socket, response, at, random) {
    const bytes = Buffer.from(response);
    bytes[at] = random.below(256);
    socket.end(bytes);
  },
  duplicate(socket, response, at, random) {
    const chunk = response.subarray(at, at + 1 + random.below(response.byteLength));
    socket.end(Buffer.concat([response.subarray(0, at), chunk, response.subarray(at)]));
  },
  // No fault: however the bytes are parted, the call must work.
  parted(socket, response, at) {
    socket.write(response.subarray(0, at), () => setImmediate(() => socket.end(response.subarray(at))));
  },
};

const faultNames = Object.keys(faults);

/** Faults after which a value can only be the one that was sent. */
const keepsValue = new Set(['cut', 'reset', 'stall', 'parted']);

/** Every fault at every byte of a response, in every framing, for every call; the first one to three attempts of it. */
export const network: Instrument = { concurrency: 8, start: async () => stage() };

function stage(): Stage {
  const before = process.getActiveResourcesInfo().length;
  return {
    play,
    async end() {
      const problems = await leftOpen(before);
      return [{ kind: 'nothing is left open', problems }];
    },
  };
}

async function play(index: number, random: Random): Promise<Played> {
  const call = pickInTurn(calls, index);
  const framing = pickInTurn(framings, Math.floor(index / calls.length));
  const turn = Math.floor(index / (calls.length * framings.length));
  const name = pickInTurn(faultNames, turn);
  const response = frame(call.body, framing);
  const at = Math.floor(turn / faultNames.length) % (response.byteLength + 1);
  const faulty = 1 + random.below(3);
  const service = await startRawService((socket, attempt) => {
    if (attempt <= faulty) faults[name]?.(socket, response, at, random);
    else socket.end(response);
  });
  try {
    const { ending, problems } = await hold(
      call,
      `http://127.0.0.1:${service.port}`,
      service.received,
      name === 'parted' ? patient : {},
    );
    if ('value' in ending && keepsValue.has(name) && !isDeepStrictEqual(ending.value, call.value)) {
      problems.push(`returned ${JSON.stringify(ending.value)}`);
    }
    if (name === 'parted' && 'error' in ending)
      problems.push(`failed without a fault: ${String(ending.error)}`);
    return {
      kind: `${name}, ${call.name}`,
      problems: problems.map((problem) => `${framing}, byte ${at}: ${problem}`),
    };
  } finally {
    await service.close();
  }
}

function pickInTurn<Choice>(choices: readonly Choice[], turn: number): Choice {
  return choices[turn % choices.length] as Choice;
}

/** What the process still waits for a while after everything has ended, besides what it waited for before. */
export async function leftOpen(before: number): Promise<string[]> {
  for (let round = 0; round < 100; round += 1) {
    if (process.getActiveResourcesInfo().length <= before) return [];
    await wait(100);
  }
  return [`left open: ${process.getActiveResourcesInfo().join(', ')}`];
}
