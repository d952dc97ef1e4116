import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses that lead to no host of the public internet. */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, prefix);
}
// 64:ff9b and 2002 wrap an IPv4 address that could be any of the above; ::ffff wraps are looked through by BlockList.
for (const [network, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is private, of this machine, or otherwise no host of the public internet. */
export function isPrivate(address: string): boolean {
  return isIP(address) === 0 || special.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
