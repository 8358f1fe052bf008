import type { FixturePackage } from "./package-registry.ts"

/**
 * A provider package of the AI SDK for version 2 or 3 of the specification: `POST <baseURL>/say` returns the text. It
 * sends its options and the request, so that a test sees both.
 */
export function providerPackage(
  version: "v2" | "v3",
  manifest: FixturePackage["manifest"],
  factory = "createEcho",
): FixturePackage {
  const usage =
    version === "v2"
      ? "{ inputTokens: 7, outputTokens: 3, totalTokens: 10, cachedInputTokens: 2 }"
      : "{ inputTokens: { total: 7, noCache: 5, cacheRead: 2, cacheWrite: 0 }, outputTokens: { total: 3, text: 3, reasoning: 0 } }"
  const finishReason = version === "v2" ? '"stop"' : '{ unified: "stop", raw: "stop" }'
  const source = `
    export function other() {}
    export function ${factory}(options) {
      return {
        languageModel: (modelId) => ({
          specificationVersion: "${version}",
          provider: "echo",
          modelId,
          supportedUrls: { "image/*": [/^https:\\/\\/images\\.example\\//] },
          async doGenerate() { throw new Error("not used") },
          async doStream({ prompt, temperature, abortSignal }) {
            const response = await fetch(options.baseURL + "/say", {
              method: "POST",
              headers: { authorization: "Bearer " + options.apiKey, ...options.headers },
              body: JSON.stringify({ options, modelId, prompt, temperature }),
              signal: abortSignal,
            })
            const text = await response.text()
            const parts = [
              { type: "stream-start", warnings: [] },
              { type: "text-start", id: "0" },
              { type: "text-delta", id: "0", delta: text },
              { type: "text-end", id: "0" },
              { type: "finish", finishReason: ${finishReason}, usage: ${usage} },
            ]
            return { stream: new ReadableStream({ start(c) { parts.forEach((part) => c.enqueue(part)); c.close() } }) }
          },
        }),
      }
    }`
  return { manifest: { type: "module", exports: { import: "./index.js" }, ...manifest }, files: { "index.js": source } }
}
