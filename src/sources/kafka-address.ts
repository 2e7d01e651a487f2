/** "host:port" of a broker, as people write it and as sentences show it; IPv6 in brackets. */
export function addressOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Reads "host:port", "[::1]:9092" or a bare host (then port 9092); a listener name in front ("SASL_SSL://") is left out. */
export function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const match = /^(?:[A-Za-z_]+:\/\/)?(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(address)
  return { host: match?.[1] ?? match?.[2] ?? address, port: Number(match?.[3] ?? 9092) }
}
