import { createHash, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { onTestFinished } from "vitest"

interface Options {
  /** Seconds. */
  expiresIn?: number
  /** What the metadata says otherwise. */
  metadata?: (base: string) => Record<string, unknown>
  resource?: (base: string) => Record<string, unknown>
  /** How often the page of the other device answers that nobody has typed the code yet. */
  pendingAnswers?: number
}

/**
 * A remote MCP server with one tool, `whoami`, and its authorization server. The page of a sign-in sends the browser back at
 * once, as if the person named in `person` had agreed.
 */
export async function startSignInServer({ expiresIn = 3_600, pendingAnswers = 1, ...say }: Options = {}) {
  const requests: string[] = []
  const tokens = new Map<string, { person: string; scope: string }>()
  const codes = new Map<
    string,
    { person: string; challenge: string; redirect: string; scope: string; client: string }
  >()
  const refreshTokens = new Map<string, { person: string; scope: string; client: string }>()
  const state = { person: "ann", wantedScope: "read", refuseRefresh: false, pending: pendingAnswers, isDown: false }

  let held: { asked: PromiseWithResolvers<void>; over: Promise<void> | null } = {
    asked: Promise.withResolvers<void>(),
    over: null,
  }

  const grant = (person: string, scope: string, client: string) => {
    const access = `access-${randomBytes(6).toString("hex")}`
    const refresh = `refresh-${randomBytes(6).toString("hex")}`
    tokens.set(access, { person, scope })
    refreshTokens.set(refresh, { person, scope, client })
    return { access_token: access, token_type: "Bearer", expires_in: expiresIn, refresh_token: refresh, scope }
  }
  const token = (form: URLSearchParams): [number, object] => {
    const client = form.get("client_id") ?? ""
    if (state.isDown) return [503, { error: "server_error" }]
    if (form.get("grant_type") === "refresh_token") {
      const known = refreshTokens.get(form.get("refresh_token") ?? "")
      // A refresh token counts once: a second use of it ends the sign-in.
      refreshTokens.delete(form.get("refresh_token") ?? "")
      return known === undefined || known.client !== client || state.refuseRefresh
        ? [400, { error: "invalid_grant" }]
        : [200, grant(known.person, known.scope, client)]
    }
    if (form.get("grant_type")?.endsWith("device_code")) {
      if (state.pending-- > 0) return [400, { error: "authorization_pending" }]
      return [200, grant(state.person, "read", client)]
    }
    const code = codes.get(form.get("code") ?? "")
    codes.delete(form.get("code") ?? "")
    const digest = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    const isTheirs = code?.client === client && code.redirect === form.get("redirect_uri")
    if (code === undefined || code.challenge !== digest || !isTheirs) return [400, { error: "invalid_grant" }]
    return [200, grant(code.person, code.scope, client)]
  }
  const answerCall = (message: { id?: number; method?: string; params?: { name?: string } }, person: string) => {
    const { id, method } = message
    if (method === "initialize") {
      const serverInfo = { name: "sign-in", version: "1" }
      return { jsonrpc: "2.0", id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } }
    }
    const tool = { name: "whoami", description: "Who is asked.", inputSchema: { type: "object" } }
    if (method === "tools/list") return { jsonrpc: "2.0", id, result: { tools: [tool] } }
    if (method === "tools/call") return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: person }] } }
    return { jsonrpc: "2.0", id, error: { code: -32_601, message: "unknown" } }
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const url = new URL(request.url ?? "/", base)
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
    }
    requests.push(`${request.method} ${url.pathname}`)
    const body = await text(request)
    switch (url.pathname) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(200, { resource: `${base}/mcp`, authorization_servers: [base], ...say.resource?.(base) })
      case "/.well-known/oauth-authorization-server":
        return json(200, {
          issuer: base,
          authorization_endpoint: `${base}/authorize`,
          token_endpoint: `${base}/token`,
          registration_endpoint: `${base}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          ...say.metadata?.(base),
        })
      case "/register":
        return json(201, { ...JSON.parse(body), client_id: `client-${randomBytes(4).toString("hex")}` })
      case "/authorize": {
        const code = `code-${randomBytes(6).toString("hex")}`
        const redirect = url.searchParams.get("redirect_uri") ?? ""
        codes.set(code, {
          ...{ person: state.person, redirect, challenge: url.searchParams.get("code_challenge") ?? "" },
          ...{ scope: url.searchParams.get("scope") ?? "read", client: url.searchParams.get("client_id") ?? "" },
        })
        const back = new URL(redirect)
        back.searchParams.set("code", code)
        back.searchParams.set("state", url.searchParams.get("state") ?? "")
        response.writeHead(302, { location: back.href }).end()
        return
      }
      case "/device":
        return json(200, {
          device_code: "device",
          user_code: "ABCD-1234",
          verification_uri: `${base}/page`,
          expires_in: 600,
          interval: 1,
        })
      case "/token": {
        held.asked.resolve()
        await held.over
        const [status, answer] = token(new URLSearchParams(body))
        return json(status, answer)
      }
      case "/mcp": {
        if (request.method !== "POST") return json(405, {})
        const known = tokens.get((request.headers.authorization ?? "").replace("Bearer ", ""))
        const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`
        if (known === undefined) return json(401, {}, { "www-authenticate": `Bearer ${metadata}` })
        const message = JSON.parse(body)
        if (message.method === "tools/call" && !known.scope.split(" ").includes(state.wantedScope)) {
          const challenge = `Bearer error="insufficient_scope", scope="${state.wantedScope}", ${metadata}`
          return json(403, {}, { "www-authenticate": challenge })
        }
        if (message.id === undefined) return response.writeHead(202).end()
        return json(200, answerCall(message, known.person))
      }
      default:
        return json(404, {})
    }
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ base, url: `${base}/mcp`, requests, state },
    /** How often an address was asked. */
    asked: (path: string) => requests.filter((line) => line === path).length,
    /** Requests for a token wait from now on. */
    holdTokens() {
      const [asked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      held = { asked, over: over.promise }
      return { asked: asked.promise, release: over.resolve }
    },
    /** All access tokens end. */
    endTokens: () => tokens.clear(),
    endSignIns() {
      tokens.clear()
      refreshTokens.clear()
    },
  }
}
