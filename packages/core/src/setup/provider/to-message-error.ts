import { isDocketError } from "../../ground/error/docket-error.ts"
import type { MessageError } from "../../ground/schema/index.ts"
import { builtinProviders } from "./builtin-providers.ts"
import { plainSentence, sentenceOfBody } from "./plain-sentence.ts"
import { OutputLengthError } from "./read-stream.ts"
import { redactSecrets } from "./redact-secrets.ts"

interface MessageErrorContext {
  providerID?: string | undefined
  /** True when the turn's own signal was aborted, which then is the cause of any failure. */
  aborted?: boolean | undefined
}

/** The common fields of AI SDK errors, fetch failures and provider error events, read without their classes. */
interface Failure {
  names: string[]
  codes: string[]
  /** The text of the error, its causes and the response, for matching. */
  text: string
  /** The provider's own sentence, for display. */
  sentence: string
  statusCode: number | null
  headers: Record<string, string> | undefined
  retryable: boolean
}

const overflowPattern = new RegExp(
  [
    "prompt is too long", // Anthropic
    "exceed(?:s|ed)? (?:the )?context (?:limit|window|length|size)",
    "context_length_exceeded", // OpenAI
    "maximum context length", // OpenAI, vLLM, OpenRouter
    "input token count.{0,40}exceeds", // Google
    "exceeds the available context size", // llama.cpp
    "greater than the context length", // LM Studio
    "exceeded max context length", // Ollama
    "context window exceeds limit",
    "maximum prompt length",
    "reduce the length of (?:the messages|your prompt)",
    "request_too_large",
    "model_max_prompt_tokens_exceeded",
  ].join("|"),
  "i",
)
const authPattern = /invalid.{0,10}api.?key|incorrect api key|api key not valid|authentication_error|unauthenticated/i
const creditPattern =
  /insufficient_quota|credit balance|billing|exceeded your current quota|payment required|insufficient (?:funds|credits)/i
const unknownModelPattern =
  /model_not_found|model.{0,80}(?:not found|does not exist|is not supported)|not_found_error.{0,40}model/i
const limitPattern = /rate.?limit|too.?many.?requests|resource.?exhausted|quota/i
const overloadPattern =
  /overloaded|overload|unavailable|at capacity|server_error|internal (?:server )?error|api_error|try again/i
const networkPattern =
  /fetch failed|terminated|socket hang up|other side closed|network|cannot connect to api|premature close|timed? ?out|timeout|sent nothing|closed the stream/i
const resetPattern = /socket hang up|other side closed|premature close|connection reset|\bterminated\b/i
const resetCode = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/
const filterPattern = /content_filter|content.?policy|safety.{0,20}(?:block|filter)|blocked by/i
const networkCode = /^(?:ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|UND_ERR_)/

const record = (value: unknown): Record<string, unknown> =>
  // Any object may be read by key; the values stay unknown.
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
const string = (value: unknown): string => (typeof value === "string" ? value : "")

function readFailure(error: unknown): Failure {
  const failure: Failure = {
    names: [],
    codes: [],
    text: typeof error === "string" ? error : "",
    sentence: typeof error === "string" ? plainSentence(error) : "",
    statusCode: null,
    headers: undefined,
    retryable: false,
  }
  const seen = new Set<unknown>()
  const pending: unknown[] = [error]
  while (pending.length > 0 && seen.size < 10) {
    const current = pending.shift()
    if (typeof current !== "object" || current === null || seen.has(current)) continue
    seen.add(current)
    const fields = record(current)
    failure.names.push(string(fields.name))
    failure.codes.push(string(fields.code), string(fields.type))
    failure.statusCode ??= typeof fields.statusCode === "number" ? fields.statusCode : null
    if (typeof fields.responseHeaders === "object" && fields.responseHeaders !== null) {
      failure.headers ??= Object.fromEntries(
        Object.entries(fields.responseHeaders).map(([name, value]) => [name.toLowerCase(), String(value)]),
      )
    }
    failure.retryable ||= fields.isRetryable === true
    const body = string(fields.responseBody)
    failure.text += ` ${string(fields.name)} ${string(fields.code)} ${string(fields.type)} ${string(fields.message)} ${body}`
    failure.sentence ||= sentenceOfBody(body) || plainSentence(string(fields.message))
    pending.push(fields.lastError, fields.cause, fields.error, fields.data)
    if (Array.isArray(fields.errors)) pending.push(...fields.errors)
  }
  return failure
}

/** Response headers of the failed call, for retryDelay. */
export function errorHeaders(error: unknown): Record<string, string> | undefined {
  return readFailure(error).headers
}

function keyAdvice(providerID: string | undefined): string {
  const variable = builtinProviders.find(({ id }) => id === providerID)?.env[0]
  return variable
    ? `Check the key in Settings, or in ${variable} where Docket runs; in a team, an admin does this.`
    : "Check the provider's key in Settings or docket.json; in a team, an admin does this."
}

/** The provider's text on one line, shortened and without keys. */
function quoted(sentence: string): string {
  const line = redactSecrets(sentence).replace(/\s+/g, " ").trim()
  if (line === "") return ""
  return ` It says: ${line.length > 400 ? `${line.slice(0, 400)}…` : line}`
}

function classify(
  failure: Failure,
  providerID: string | undefined,
): Pick<MessageError, "name" | "message" | "retryable"> {
  const { statusCode: status, text, names, codes } = failure
  const who = builtinProviders.find(({ id }) => id === providerID)?.name ?? providerID ?? "The provider"
  const says = quoted(failure.sentence)
  const named = (name: string) => names.includes(name)
  const result = (name: MessageError["name"], message: string, retryable = false) => ({ name, message, retryable })

  if (status === 402 || creditPattern.test(text)) {
    return result(
      "APIError",
      `${who} refuses: the account has no credit or quota left. Top it up or choose another model.${says}`,
    )
  }
  const isKeyRefused = status === 401 || status === 403 || named("AI_LoadAPIKeyError") || authPattern.test(text)
  if (isKeyRefused) {
    return result("ProviderAuthError", `${who} refused the key. ${keyAdvice(providerID)}${says}`)
  }
  if (status === 429 || (status === null && limitPattern.test(text))) {
    return result("ProviderUnavailableError", `${who} limits how fast requests may come.${says}`, true)
  }
  if (status === 413 || overflowPattern.test(text)) {
    return result(
      "ContextOverflowError",
      `The conversation is longer than the model can read. Choose a model with a larger context, or start a new session.${says}`,
    )
  }
  const isUnknownModel = named("AI_NoSuchModelError") || status === 404 || unknownModelPattern.test(text)
  if (isUnknownModel) {
    return result(
      "UnknownModelError",
      `${who} does not know this model or address. Choose another model, or check baseURL in docket.json.${says}`,
    )
  }
  if (filterPattern.test(text)) {
    return result("ContentFilterError", `${who} filtered the answer. Rephrase the request.${says}`)
  }
  const isCut = codes.some((code) => resetCode.test(code)) || resetPattern.test(text)
  if (status === null && isCut) {
    return result(
      "ProviderUnavailableError",
      `The connection to ${who} was cut before the answer was complete. Send the prompt again; if it keeps happening, check the network, a proxy on the way and the provider's server.`,
      true,
    )
  }
  const isFaultStatus = status !== null && (status >= 500 || status === 408 || status === 409)
  if (isFaultStatus || overloadPattern.test(text)) {
    return result("ProviderUnavailableError", `${who} is overloaded or has a fault.${says}`, true)
  }
  if (/failed to process successful response/i.test(text)) {
    return result("ProviderUnavailableError", `${who} broke off in the middle of its answer.`, true)
  }
  if (/without a finish reason/i.test(text)) {
    return result(
      "APIError",
      `${who} ended its answer early or answered in an unknown format. Check baseURL in docket.json.${says}`,
      failure.retryable,
    )
  }
  const saysNetwork = status === null && networkPattern.test(text)
  if (saysNetwork || codes.some((code) => networkCode.test(code))) {
    return result(
      "ProviderUnavailableError",
      `${who} cannot be reached, or the connection broke. Check the network and that the server is running.${says}`,
      true,
    )
  }
  if (status !== null || names.some((name) => name.startsWith("AI_"))) {
    return result("APIError", `${who} did not accept the request.${says}`, failure.retryable)
  }
  return result("UnknownError", `Something went wrong.${says}`, failure.retryable)
}

function isAbort(error: unknown): boolean {
  const { name } = record(error)
  return name === "AbortError" || name === "ResponseAborted"
}

/**
 * Turns an error that a model call threw or streamed into data for the transcript: what happened, what to do, and
 * whether a retry makes sense. It never contains keys.
 */
export function toMessageError(error: unknown, context: MessageErrorContext = {}): MessageError {
  if (context.aborted || isAbort(error)) {
    return { name: "AbortedError", message: "Stopped before it was finished.", statusCode: null, retryable: false }
  }
  if (error instanceof OutputLengthError) {
    return { name: "OutputLengthError", message: error.message, statusCode: null, retryable: false }
  }
  if (isDocketError(error)) {
    const name =
      error.code === "model_not_found" || error.code === "provider_not_found" || error.code.startsWith("package_")
        ? "UnknownModelError"
        : error.code === "no_model_available"
          ? "ProviderAuthError"
          : "UnknownError"
    return { name, message: redactSecrets(error.message), statusCode: null, retryable: false }
  }
  const failure = readFailure(error)
  return { ...classify(failure, context.providerID), statusCode: failure.statusCode }
}
