/**
 * The address as it is judged, shown and fetched: no fragment, host in ASCII, and every character that needs no encoding
 * is not encoded (`%61dmin` is `admin`), so that a rule for a path cannot be passed by another spelling.
 * @throws Error when it is not an address of a web page
 */
export function readAddress(text: string): URL {
  if (!URL.canParse(text.trim()))
    throw new Error(`${JSON.stringify(text.slice(0, 200))} is no address. Write it whole, with https://.`)
  const url = new URL(text.trim())
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`Only http and https addresses are fetched, not ${url.protocol} Use read for files.`)
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error("The address holds a user name or password. Leave them out; pages behind a login are not fetched.")
  }
  if (/[*?]/.test(url.hostname)) throw new Error("The host of the address holds a wildcard. Write the host itself.")
  // With a dot at its end it is the same host, which a rule would not recognise.
  url.hostname = url.hostname.replace(/\.$/, "")
  url.hash = ""
  url.pathname = withoutNeedlessEncoding(url.pathname)
  return url
}

/** Decodes letters, digits and `-._~` (RFC 3986, section 6.2.2.2). */
function withoutNeedlessEncoding(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
  })
}

/**
 * The address, and how a server may read it: many take `//` for `/`, and `%2F` or a backslash for a slash. Rules are
 * asked about both, and the stricter answer counts.
 */
export function addressReadings(address: URL): string[] {
  const read = new URL(address)
  read.pathname = read.pathname.replace(/%2F|%5C/g, "/").replace(/\/{2,}/g, "/")
  return [...new Set([address.href, read.href])]
}
