import type { LookupFunction } from "node:net"
import { promisify } from "node:util"
import { brotliDecompress, gunzip, inflate } from "node:zlib"
import { errorCode } from "../../../ground/error/error-code.ts"
import { guardedExchange, readBody } from "../../../ground/fetch/guarded-exchange.ts"
import { checkURL, isPublicAddress } from "../../../ground/fetch/public-address.ts"
import { readAddress } from "./web-address.ts"

/** Bytes of an answer, as it is sent and without its compression: 5 MiB. */
export const MAX_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 5

const browserName =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
/** Cloudflare lets some programs through that say what they are. */
const plainName = "docket"

export interface FetchedPage {
  /** The address that answered, after redirects. */
  url: URL
  bytes: Buffer
  /** In lower case and without parameters, such as `text/html`; empty when the server says none. */
  mediaType: string
  /** As the server says it; null when it does not. */
  charset: string | null
}

export interface PageRequest {
  url: URL
  accept: string
  limitMs: number
  signal: AbortSignal
  /** Asks whether an address may be fetched, for the first one and each that it redirects to. Throws to refuse. */
  allow(url: URL, from: URL | null): Promise<void>
  /** Whether an address may lead to this machine or its networks. */
  mayReachLocally(url: URL): boolean
  /** How names are resolved; the system's way unless given. */
  lookup?: LookupFunction | undefined
}

/**
 * Fetches a page. Each redirect is asked for and checked like the first address; the time while somebody is asked does
 * not count.
 * @throws Error in words for the model
 */
export async function fetchPage(request: PageRequest): Promise<FetchedPage> {
  let url = request.url
  let from: URL | null = null
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    await request.allow(url, from)
    const answer: Answer = await askFor(request, url, browserName)
    if (answer.kind === "page") return answer.page
    if (answer.kind === "challenge") {
      const again = await askFor(request, url, plainName)
      if (again.kind === "page") return again.page
      if (again.kind === "challenge") throw new Error(`${url.host} answers only browsers that prove to be one (403).`)
      ;[from, url] = [url, again.to]
    } else {
      ;[from, url] = [url, answer.to]
    }
  }
  throw new Error(`${request.url.host} redirected more than ${MAX_REDIRECTS} times.`)
}

type Answer = { kind: "page"; page: FetchedPage } | { kind: "redirect"; to: URL } | { kind: "challenge" }

async function askFor(
  { accept, limitMs, signal, mayReachLocally, lookup }: PageRequest,
  url: URL,
  agent: string,
): Promise<Answer> {
  const local = mayReachLocally(url)
  const check = { isAllowed: (address: string) => local || isPublicAddress(address), refusal: () => notPublic(url) }
  checkURL(url, check)
  const lateMessage = `${url.host} did not answer within ${limitMs / 1_000} seconds. Try a longer timeout, or another page.`
  return guardedExchange({ check, lookup, limitMs, lateMessage }, signal, async (ask) => {
    const headers = { accept, "accept-encoding": "gzip, br", "accept-language": "en", "user-agent": agent }
    const { statusCode, headers: sent, body } = await ask(url, { headers })
    const { location } = sent
    if (statusCode >= 300 && statusCode < 400 && typeof location === "string") {
      await body.dump()
      return { kind: "redirect", to: readAddress(new URL(location, url).href) }
    }
    if (statusCode === 403 && sent["cf-mitigated"] === "challenge") {
      await body.dump()
      return { kind: "challenge" }
    }
    if (statusCode !== 200) {
      await body.dump()
      throw new Error(`${url.host} answered ${statusCode}. Check the address.`)
    }
    const type = String(sent["content-type"] ?? "")
    const bytes = await expand(await readBody(body, MAX_BYTES, tooLarge), String(sent["content-encoding"] ?? ""))
    const mediaType = (type.split(";")[0] ?? "").trim().toLowerCase()
    const charset = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? null
    return { kind: "page", page: { url, bytes, mediaType, charset } }
  })
}

const expanders = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Undoes the compression, up to the same size. */
async function expand(bytes: Buffer, encoding: string): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === "" || name === "identity") return bytes
  if (!Object.hasOwn(expanders, name))
    throw new Error(`The answer is packed as ${JSON.stringify(name.slice(0, 50))}, which Docket does not read.`)
  try {
    return await expanders[name as keyof typeof expanders](bytes, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw tooLarge()
    throw new Error(`The answer is damaged: it is not ${name}.`, { cause: error })
  }
}

function tooLarge(): Error {
  return new Error(
    `The page is larger than ${MAX_BYTES / 1024 / 1024} MB. Fetch a part of it, or download it with bash.`,
  )
}

function notPublic(url: URL): Error {
  const port = url.port || (url.protocol === "https:" ? "443" : "80")
  return new Error(
    `${url.host} is not on the public internet. The user can allow it by a rule that names host and port: "webfetch": { "${url.protocol}//${url.hostname}:${port}/*": "allow" }.`,
  )
}
