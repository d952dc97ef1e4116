import { cluster } from './cluster.ts';
import { cli } from './commands.ts';
import { folder } from './folder.ts';
import { hostileJson } from './hostile-json.ts';
import type { Instrument } from './instrument.ts';
import { kills } from './kills.ts';
import { network } from './network.ts';
import { oddHttp } from './odd-http.ts';
import { socket } from './socket.ts';
import { brokenTls } from './tls.ts';

/** Everything that attacks the package, by the name that `npm run test:faults` knows it by. */
export const instruments: Readonly<Record<string, Instrument>> = {
  network,
  tls: brokenTls,
  http: oddHttp,
  json: hostileJson,
  socket,
  folder,
  kills,
  cluster,
  cli,
};
