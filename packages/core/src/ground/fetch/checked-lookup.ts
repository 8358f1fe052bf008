import { isIP, type LookupFunction } from "node:net"

/** Which addresses may be spoken to, and what is said of others. */
export interface AddressCheck {
  isAllowed(address: string): boolean
  refusal(hostname: string): Error
}

/** An address in the URL itself is connected to without a look-up. URL has made decimal and octal forms plain. */
export function checkURL({ protocol, hostname }: URL, { isAllowed, refusal }: AddressCheck): void {
  if (protocol !== "http:" && protocol !== "https:") throw new Error(`only http and https are fetched, not ${protocol}`)
  const address = hostname.replace(/^\[|\]$/g, "")
  if (isIP(address) !== 0 && !isAllowed(address)) throw refusal(hostname)
}

/** Looks a name up and lets nobody connect to it unless all of its addresses may be spoken to. */
export function checkedLookup(lookup: LookupFunction, { isAllowed, refusal }: AddressCheck): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(refusal(hostname), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
