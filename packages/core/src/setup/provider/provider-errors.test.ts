import { createServer, type RequestListener, type Server } from "node:http"
import { APICallError } from "@ai-sdk/provider"
import { generateText, streamText } from "ai"
import { afterEach, describe, expect, it } from "vitest"
import { DocketError } from "../../ground/error/docket-error.ts"
import { createLanguageModel } from "./language-model.ts"
import { errorHeaders, toMessageError } from "./to-message-error.ts"

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  server = undefined
})

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return `http://127.0.0.1:${address.port}/v1`
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify(body))
  }

async function failureOf(npm: string, baseURL: string): Promise<unknown> {
  const model = await createLanguageModel({
    providerID: "p",
    npm,
    modelID: "m",
    baseURL,
    apiKey: "sk-very-secret-key-123456",
    headers: {},
  })
  try {
    await generateText({ model, prompt: "hi", maxRetries: 0 })
  } catch (error) {
    return error
  }
  throw new Error("expected a failure")
}

const anthropicError = (type: string, message: string) => ({ type: "error", error: { type, message } })

describe("toMessageError over HTTP", () => {
  it.each([
    ["@ai-sdk/anthropic", 401, anthropicError("authentication_error", "invalid x-api-key"), "ProviderAuthError", false],
    [
      "@ai-sdk/openai",
      401,
      { error: { message: "Incorrect API key provided: sk-very*****3456." } },
      "ProviderAuthError",
      false,
    ],
    [
      "@ai-sdk/google",
      400,
      { error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } },
      "ProviderAuthError",
      false,
    ],
    ["@ai-sdk/anthropic", 529, anthropicError("overloaded_error", "Overloaded"), "ProviderUnavailableError", true],
    ["@ai-sdk/openai-compatible", 503, { error: { message: "busy" } }, "ProviderUnavailableError", true],
    [
      "@ai-sdk/openai",
      429,
      { error: { message: "Rate limit reached", code: "rate_limit_exceeded" } },
      "ProviderUnavailableError",
      true,
    ],
    [
      "@ai-sdk/openai",
      429,
      { error: { message: "You exceeded your current quota", code: "insufficient_quota" } },
      "APIError",
      false,
    ],
    [
      "@ai-sdk/anthropic",
      400,
      anthropicError("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
      "ContextOverflowError",
      false,
    ],
    [
      "@ai-sdk/openai",
      400,
      { error: { message: "Your input exceeds the context window of this model.", code: "context_length_exceeded" } },
      "ContextOverflowError",
      false,
    ],
    [
      "@ai-sdk/google",
      400,
      {
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed",
          status: "INVALID_ARGUMENT",
        },
      },
      "ContextOverflowError",
      false,
    ],
    [
      "@ai-sdk/openai-compatible",
      400,
      { error: { message: "This model's maximum context length is 8192 tokens." } },
      "ContextOverflowError",
      false,
    ],
    [
      "@ai-sdk/openai-compatible",
      404,
      { error: { message: 'model "m" not found, try pulling it first' } },
      "UnknownModelError",
      false,
    ],
    ["@ai-sdk/openai-compatible", 400, { error: { message: "temperature must be a number" } }, "APIError", false],
  ])("%s %i %j is %s", async (npm, status, body, name, retryable) => {
    const error = await failureOf(npm, await listen(answer(status, body)))
    const result = toMessageError(error, { providerID: "anthropic" })
    expect(result).toMatchObject({ name, retryable, statusCode: status })
    expect(JSON.stringify(result)).not.toContain("sk-very")
  })

  it("says where to look for a refused key", async () => {
    const error = await failureOf(
      "@ai-sdk/anthropic",
      await listen(answer(401, anthropicError("authentication_error", "no"))),
    )
    expect(toMessageError(error, { providerID: "anthropic" }).message).toContain(
      "Check the key in Settings, or in ANTHROPIC_API_KEY where Docket runs; in a team, an admin does this.",
    )
  })

  it("gives the headers for the retry", async () => {
    const error = await failureOf(
      "@ai-sdk/openai",
      await listen(answer(429, { error: { message: "slow" } }, { "Retry-After": "7" })),
    )
    expect(errorHeaders(error)?.["retry-after"]).toBe("7")
  })

  it("a refused connection may be tried again", async () => {
    const error = await failureOf("@ai-sdk/openai-compatible", "http://127.0.0.1:9/v1")
    expect(toMessageError(error, { providerID: "p" })).toMatchObject({
      name: "ProviderUnavailableError",
      retryable: true,
    })
  })

  it("a stream that is cut may be tried again", async () => {
    const baseURL = await listen((request, response) => {
      request.resume()
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write('data: {"id":"1","choices":[{"delta":{"content":"half a to"}}]}\n\n')
      setTimeout(() => response.destroy(), 20)
    })
    const model = await createLanguageModel({
      providerID: "p",
      npm: "@ai-sdk/openai-compatible",
      modelID: "m",
      baseURL,
      apiKey: null,
      headers: {},
    })
    const result = streamText({ model, prompt: "hi", maxRetries: 0, onError: () => {} })
    const read = async () => {
      for await (const part of result.fullStream) if (part.type === "error") throw part.error
    }
    const error = await read().catch((thrown: unknown) => thrown)
    expect(toMessageError(error)).toMatchObject({
      name: "ProviderUnavailableError",
      message: "The provider broke off in the middle of its answer.",
      retryable: true,
    })
  })

  it("a web page instead of a model's answer points to the address", async () => {
    const baseURL = await listen((request, response) => {
      request.resume()
      response.writeHead(200, { "content-type": "text/html" })
      response.end("<html>Sign in to the network</html>")
    })
    const options = { providerID: "p", npm: "@ai-sdk/openai-compatible", modelID: "m", baseURL, apiKey: null }
    const model = await createLanguageModel({ ...options, headers: {} })
    const result = streamText({ model, prompt: "hi", maxRetries: 0, onError: () => {} })
    const read = async () => {
      for await (const part of result.fullStream) if (part.type === "error") throw part.error
    }
    const error = await read().catch((thrown: unknown) => thrown)
    expect(toMessageError(error).message).toContain("Check baseURL in docket.json")
  })

  it("a call that was stopped is no failure of the provider", async () => {
    const baseURL = await listen((request) => request.resume())
    const model = await createLanguageModel({
      providerID: "p",
      npm: "@ai-sdk/openai",
      modelID: "m",
      baseURL,
      apiKey: "k",
      headers: {},
    })
    const error = await generateText({
      model,
      prompt: "hi",
      abortSignal: AbortSignal.timeout(30),
      maxRetries: 0,
    }).catch((e: unknown) => e)
    expect(toMessageError(error, { aborted: true }).name).toBe("AbortedError")
  })
})

describe("toMessageError", () => {
  it("reads error events of a stream", () => {
    expect(toMessageError({ type: "overloaded_error", message: "Overloaded" })).toMatchObject({
      name: "ProviderUnavailableError",
      retryable: true,
    })
    expect(toMessageError("The model is currently at capacity").retryable).toBe(true)
    expect(toMessageError({ error: { code: "context_length_exceeded", message: "x" } }).name).toBe(
      "ContextOverflowError",
    )
  })
  it("lets a silent or broken stream be tried again", () => {
    for (const words of [
      "The provider sent nothing for 300 seconds.",
      "The provider closed the stream before its end.",
    ]) {
      expect(toMessageError(new Error(words))).toMatchObject({ name: "ProviderUnavailableError", retryable: true })
    }
  })
  it("keeps expected failures as they are", () => {
    expect(toMessageError(new DocketError("model_not_found", "There is no model x."))).toMatchObject({
      name: "UnknownModelError",
      message: "There is no model x.",
    })
  })
  it("removes keys from any text", () => {
    const url = "https://x.example/v1?key=AIzaSyA1234567890abcdefghij"
    const error = new APICallError({
      message: `failed ${url} Bearer abc.def x-api-key: 1234567890ab`,
      url,
      requestBodyValues: {},
      statusCode: 400,
    })
    expect(toMessageError(error).message).not.toMatch(/AIza|abc\.def|1234567890/)
  })
  it("makes an unknown error of whatever else is thrown", () => {
    const loop: Record<string, unknown> = { message: "round" }
    loop.cause = loop
    for (const thrown of [undefined, null, 7, {}, [], loop, new AggregateError([new Error("a")])]) {
      expect(toMessageError(thrown).name).toBe("UnknownError")
    }
  })
})
