import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import { buffer } from "node:stream/consumers"

/** The names under which the emulator answers, all on one machine. */
export const hosts = [
  ...["auth.openai.com", "chatgpt.com", "claude.ai", "console.anthropic.com", "api.anthropic.com"],
  ...["github.com", "api.github.com", "api.githubcopilot.com", "raw.githubusercontent.com"],
]

/** A request of a model, with who was signed in. */
export interface ModelRequest {
  host: string
  authorization: string | undefined
  body: string
}

export interface ProviderEmulator {
  /** How each token was given: `authorization_code`, `refresh_token`, `device` or `session`. */
  grants: string[]
  models: ModelRequest[]
  /** s for which tokens count that are given next. */
  lasting(seconds: number): void
}

/** Accounts and models of Anthropic, ChatGPT and Copilot, as far as sign-ins and a text answer go. Codes are checked (PKCE). */
export async function startProviderEmulator(tls: { cert: Buffer; key: Buffer }): Promise<ProviderEmulator> {
  const grants: string[] = []
  const models: ModelRequest[] = []
  /** The challenge of each code that was not redeemed yet. */
  const codes = new Map<string, string>()
  const refreshTokens = new Set<string>()
  const accessTokens = new Set<string>()
  let seconds = 3_600
  let isApproved = false

  const grant = (how: string) => {
    grants.push(how)
    const n = grants.length
    refreshTokens.add(`refresh-${n}`)
    const access_token = accessToken(n)
    accessTokens.add(access_token)
    return { access_token, refresh_token: `refresh-${n}`, expires_in: seconds }
  }
  const token = (form: Record<string, string | undefined>) => {
    if (form.grant_type === "refresh_token") {
      // Each is good for once.
      return refreshTokens.delete(form.refresh_token ?? "") ? grant("refresh_token") : null
    }
    const challenge = codes.get(form.code ?? "")
    codes.delete(form.code ?? "")
    const isKnown =
      challenge ===
      createHash("sha256")
        .update(form.code_verifier ?? "")
        .digest("base64url")
    return isKnown ? grant("authorization_code") : null
  }
  const authorize = (url: URL) => {
    const code = `code-${codes.size + 1}-${grants.length}`
    codes.set(code, url.searchParams.get("code_challenge") ?? "")
    return { code, state: url.searchParams.get("state") ?? "" }
  }
  const model = (
    host: string,
    request: IncomingMessage,
    body: string,
    answer: () => string[],
    response: ServerResponse,
  ) => {
    const { authorization } = request.headers
    models.push({ host, authorization, body })
    if (!accessTokens.has(authorization?.replace("Bearer ", "") ?? ""))
      return json(response, 401, { error: "no account" })
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const piece of answer()) response.write(piece)
    response.end()
  }
  const answer = (url: URL, request: IncomingMessage, body: string, response: ServerResponse) => {
    const { host, pathname } = url
    switch (`${host}${pathname}`) {
      case "auth.openai.com/oauth/authorize": {
        const { code, state } = authorize(url)
        const location = `${url.searchParams.get("redirect_uri")}?${new URLSearchParams({ code, state })}`
        return void response.writeHead(302, { location }).end()
      }
      case "claude.ai/oauth/authorize": {
        // The page shows the code, which a person copies.
        const { code, state } = authorize(url)
        return void response.end(`${code}#${state}`)
      }
      case "auth.openai.com/oauth/token":
        return json(response, 200, token(Object.fromEntries(new URLSearchParams(body))))
      case "console.anthropic.com/v1/oauth/token":
        return json(response, 200, token(JSON.parse(body)))
      case "github.com/login/device/code":
        isApproved = false
        return json(response, 200, {
          ...{ device_code: "device", user_code: "AB-12", verification_uri: "https://github.com/login/device" },
          interval: 0,
        })
      case "github.com/login/device":
        isApproved = true
        return void response.end("You are signed in.")
      case "github.com/login/oauth/access_token":
        return json(
          response,
          200,
          isApproved ? { access_token: grant("device").refresh_token } : { error: "authorization_pending" },
        )
      case "api.github.com/copilot_internal/v2/token": {
        const isKnown = refreshTokens.has(request.headers.authorization?.replace("Bearer ", "") ?? "")
        const given = isKnown ? grant("session") : null
        return json(response, 200, given && { token: given.access_token, expires_at: Date.now() / 1_000 + seconds })
      }
      case "api.github.com/repos/openai/codex/releases/latest":
        return json(response, 200, { tag_name: "rust-v1.0.0" })
      case "api.anthropic.com/v1/messages":
        return model(host, request, body, anthropicAnswer, response)
      case "chatgpt.com/backend-api/codex/responses":
        return model(host, request, body, responsesAnswer, response)
      case "api.githubcopilot.com/chat/completions":
        return model(host, request, body, completionsAnswer, response)
    }
    if (host === "raw.githubusercontent.com") return void response.end("You are a coding agent.")
    json(response, 404, { error: `nothing at ${host}${pathname}` })
  }
  const server = createServer(tls, async (request, response) => {
    const url = new URL(request.url ?? "/", `https://${request.headers.host}`)
    answer(url, request, (await buffer(request)).toString("utf8"), response)
  })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(443, "127.0.0.1", resolve))
  return {
    ...{ grants, models },
    lasting(given) {
      seconds = given
    },
  }
}

/** Null is refused. */
function json(response: ServerResponse, status: number, body: object | null): void {
  response.writeHead(body === null ? 400 : status, { "content-type": "application/json" })
  response.end(JSON.stringify(body ?? { error: "invalid_grant" }))
}

/** A token that names an account, as ChatGPT's do. */
function accessToken(n: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const claims = { n, "https://api.openai.com/auth": { chatgpt_account_id: "account" } }
  return `${part({ alg: "none" })}.${part(claims)}.signature`
}

const event = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

function anthropicAnswer(): string[] {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const message = {
    id: "msg",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    usage,
  }
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello from Claude." } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ].map(event)
}

function responsesAnswer(): string[] {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const response = {
    id: "resp",
    object: "response",
    created_at: 1,
    model: "gpt",
    status: "completed",
    output: [],
    usage,
  }
  const text = "Hello from ChatGPT."
  const content = [{ type: "output_text", text, annotations: [] }]
  const item = { id: "msg", type: "message", role: "assistant", status: "completed" }
  return [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    { type: "response.output_text.delta", item_id: "msg", output_index: 0, content_index: 0, delta: text },
    { type: "response.output_item.done", output_index: 0, item: { ...item, content } },
    { type: "response.completed", response: { ...response, output: [{ ...item, content }] } },
  ].map(event)
}

function completionsAnswer(): string[] {
  const base = { id: "c", object: "chat.completion.chunk", created: 1, model: "gpt" }
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  return [chunk({ role: "assistant", content: "Hello from Copilot." }, null), chunk({}, "stop"), "data: [DONE]\n\n"]
}
