import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

type Interfaces = ReturnType<typeof networkInterfaces>

/** The first address of each family at which other machines reach this one, else loopback. */
export function findOwnAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const external = Object.values(interfaces)
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, address }) => !internal && !/^(?:fe80|169\.254)[:.]/i.test(address))
    .map(({ address }) => address)
  const found = [external.find((address) => !isIPv6(address)), external.find((address) => isIPv6(address))]
  const addresses = found.filter((address) => address !== undefined)
  return addresses.length > 0 ? addresses : ['127.0.0.1']
}

/** What to bind for these public addresses: loopback as it is, else all interfaces of each family. */
export function hostsFor(addresses: readonly string[]): string[] {
  const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
  if (addresses.every(isLoopback)) return [...new Set(addresses)]
  return [...new Set(addresses.map((address) => (isIPv6(address) ? '::' : '0.0.0.0')))]
}
