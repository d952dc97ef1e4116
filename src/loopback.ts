// Which names and addresses are those of this machine.

const names = /^(.+\.)?localhost$/i;
const addresses = /^(127(\.\d+){3}|::1|::ffff:(127(\.\d+){3}|7f[\da-f]{2}:[\da-f]{1,4}))$/i;

/**
 * Whether a host name or an IP address is this machine's. An IPv6 address may have the brackets that it has in a URL.
 * A name is not resolved.
 */
export function isLoopback(host: string): boolean {
  return names.test(host) || addresses.test(host.replace(/^\[(.*)\]$/, '$1'));
}
