import { createHash } from 'node:crypto';

/** Keeps our names apart from everybody else's (RFC 9562, name-based UUIDs). */
const namespace = 'data-quality-client/local/asset';

/** The UUID of an asset: made from its name alone, so that it is the same on every machine. */
export function assetIdOf(name: string): string {
  const bytes = createHash('sha256').update(namespace).update('\0').update(name).digest();
  // Version 8 (custom, name-based) and variant 10, where RFC 9562 puts them.
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
