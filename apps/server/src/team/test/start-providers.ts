import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import { listen } from "../../listen.ts"
import { makeCertificate } from "../../test/make-certificate.ts"

/** A user at a provider. */
export interface Known {
  id: number
  name: string
  email: string
  verified: boolean
}

export interface Providers {
  /** Environment variables that make a process use these instead of GitHub and Google. */
  env: Record<string, string>
  /** Consents as this user on a provider's page. Returns the code for the redirect. */
  allow(page: URL, person: Known): string
  /** Requested hosts and paths. */
  asked: string[]
  stop(): Promise<void>
}

const hosts = ["github.com", "api.github.com", "oauth2.googleapis.com"]

/**
 * GitHub and Google for better-auth, under their own names over TLS. A process reaches them through a proxy in its
 * environment and trusts their certificate. Nothing is sent to the network.
 */
export async function startProviders(directory: string): Promise<Providers> {
  const files = makeCertificate(directory, "providers", ...hosts)
  /** By code, then by access token. */
  const granted = new Map<string, { person: Known; page: URL }>()
  const asked: string[] = []
  const exchange = async (req: IncomingMessage) => {
    const form = new URLSearchParams(await text(req))
    const found = granted.get(form.get("code") ?? "")
    granted.delete(form.get("code") ?? "")
    if (found === undefined) return { error: "bad_verification_code" }
    const query = found.page.searchParams
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    const isRight =
      clientOf(req, form) === "docket:s3cret" &&
      form.get("redirect_uri") === query.get("redirect_uri") &&
      (query.get("code_challenge") === null || query.get("code_challenge") === proof)
    if (!isRight) return { error: "incorrect_client_credentials" }
    const access_token = `access-${found.person.id}`
    granted.set(access_token, found)
    return { access_token, token_type: "bearer", scope: "", id_token: idToken(found.person) }
  }
  const personOf = (req: IncomingMessage) =>
    granted.get(req.headers.authorization?.replace(/^bearer /i, "") ?? "")?.person
  const answer = async (req: IncomingMessage): Promise<object | null> => {
    const place = `${req.headers.host}${req.url}`
    asked.push(place)
    if (place === "github.com/login/oauth/access_token" || place === "oauth2.googleapis.com/token") return exchange(req)
    const person = personOf(req)
    if (person === undefined) return null
    const { id, name, email, verified } = person
    // Here users hide their address, so only the list contains it.
    if (place === "api.github.com/user") return { id, login: name.toLowerCase(), name, email: null, avatar_url: "" }
    if (place === "api.github.com/user/emails") return [{ email, primary: true, verified, visibility: "private" }]
    return null
  }
  const server = createSecureServer({ cert: readFileSync(files.cert), key: readFileSync(files.key) }, (req, res) => {
    answer(req)
      .then((body) =>
        res.writeHead(body === null ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(body)),
      )
      .catch(() => res.destroy())
  })
  await listen(server, "127.0.0.1", 0)
  // The address has this type because the server listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo
  const proxy = createServer((_, res) => res.writeHead(502).end())
  proxy.on("connect", ({ url = "" }: IncomingMessage, socket) => {
    if (!hosts.includes(url.replace(/:443$/, ""))) return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n")
    const through = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      through.pipe(socket).pipe(through)
    })
    for (const end of [through, socket]) end.on("error", () => undefined)
  })
  const proxyUrl = await listen(proxy, "127.0.0.1", 0)
  let codes = 0
  return {
    env: { NODE_USE_ENV_PROXY: "1", HTTPS_PROXY: proxyUrl, NO_PROXY: "127.0.0.1", NODE_EXTRA_CA_CERTS: files.cert },
    asked,
    allow(page, person) {
      codes += 1
      granted.set(`code-${codes}`, { person, page })
      return `code-${codes}`
    },
    async stop() {
      for (const each of [proxy, server])
        await new Promise((resolve) => {
          each.close(resolve)
          each.closeAllConnections()
        })
    },
  }
}

/** Id and secret of a client, in the header or in the body. */
function clientOf({ headers: { authorization = "" } }: IncomingMessage, form: URLSearchParams): string {
  if (authorization.startsWith("Basic ")) return Buffer.from(authorization.slice(6), "base64").toString()
  return `${form.get("client_id")}:${form.get("client_secret")}`
}

/**
 * The token comes directly from the provider by TLS, so its signature is not checked (OpenID Connect Core 1.0,
 * 3.1.3.7).
 */
function idToken({ id, name, email, verified }: Known): string {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: "https://accounts.google.com", aud: "docket", iat: now, exp: now + 600 }
  const payload = { ...claims, sub: String(id), name, email, email_verified: verified }
  return [{ alg: "RS256", kid: "k" }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat("none")
    .join(".")
}
