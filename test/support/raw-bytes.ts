import { once } from 'node:events';
import { connect } from 'node:net';

/** Writes bytes as they are, then reads until the other side closes; rejects if the connection breaks. */
export async function exchange(port: number, bytes: readonly (string | Uint8Array)[]): Promise<string> {
  const client = connect(port, '127.0.0.1');
  let received = '';
  client.setEncoding('latin1').on('data', (text: string) => (received += text));
  const closed = once(client, 'close');
  await once(client, 'connect');
  for (const part of bytes) if (!client.write(part)) await Promise.race([once(client, 'drain'), closed]);
  client.end();
  await closed;
  return received;
}

/** Writes the head of a request by hand. */
export function head(lines: readonly string[]): string {
  return `${[...lines, 'Host: x', 'Connection: close'].join('\r\n')}\r\n\r\n`;
}
