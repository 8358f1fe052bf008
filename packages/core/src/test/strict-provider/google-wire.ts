import { z } from "zod"
import { checkOnce, isBlank, type Reply, refuseUnless, type Wire } from "./reply.ts"

const Part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  functionCall: z
    .looseObject({ id: z.string().optional(), name: z.string(), args: z.record(z.string(), z.unknown()) })
    .optional(),
  functionResponse: z.looseObject({ id: z.string().optional(), name: z.string() }).optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
})
type Part = z.infer<typeof Part>

const Body = z.looseObject({
  contents: z.array(z.object({ role: z.enum(["user", "model"]), parts: z.array(Part) })).min(1),
  systemInstruction: z.object({ parts: z.array(z.object({ text: z.string() })) }).optional(),
})
type Contents = z.infer<typeof Body>["contents"]

/** Gemini 3 and later models sign their calls. */
const signature = (id: string) => Buffer.from(`signed ${id}`).toString("base64")

/** The Gemini API of Google. */
export function googleWire(): Wire {
  return { check: (body) => check(Body.parse(body).contents), events }
}

function check(contents: Contents): void {
  refuseUnless(contents[0]?.role === "user", "Please ensure that the conversation begins with a user turn")
  refuseUnless(contents.at(-1)?.role === "user", "Please ensure that single turn requests end with a user role")
  const seen = new Set<string>()
  for (const [index, { role, parts }] of contents.entries()) {
    refuseUnless(parts.length > 0, "contents.parts must not be empty")
    for (const part of parts) checkPart(part)
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? [])
    for (const { id } of calls) if (id !== undefined) checkOnce(id, seen)
    const answers = contents[index + 1]?.parts.flatMap(({ functionResponse }) => functionResponse ?? []) ?? []
    if (role === "model") checkAnswers(calls, answers)
    else checkCalled(parts, contents[index - 1]?.parts ?? [])
  }
  checkSignatures(contents)
}

function checkPart({ text, thoughtSignature, functionCall, inlineData, ...rest }: Part): void {
  const data = !isBlank(text) || functionCall || rest.functionResponse || inlineData || "fileData" in rest
  refuseUnless(data || thoughtSignature, "required oneof field 'data' must have one initialized field")
  if (functionCall) refuseUnless(/^[A-Za-z_][\w.-]{0,63}$/.test(functionCall.name), "Invalid function name")
  if (inlineData) {
    refuseUnless(
      /^(?:image\/(?:png|jpeg|webp|heic|heif)|application\/pdf|(?:audio|video|text)\/.+)$/.test(inlineData.mimeType),
      `Unsupported MIME type: ${inlineData.mimeType}`,
    )
    refuseUnless(inlineData.data, "inlineData: data is empty")
  }
}

type Named = { id?: string | undefined; name: string }

function checkAnswers(calls: Named[], answers: Named[]): void {
  const names = (list: Named[]) => list.map(({ id, name }) => `${name} ${id}`).join()
  refuseUnless(
    names(calls) === names(answers),
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn",
  )
}

function checkCalled(parts: Part[], before: Part[]): void {
  const answers = parts.some(({ functionResponse }) => functionResponse)
  refuseUnless(
    !answers || before.some(({ functionCall }) => functionCall),
    "Please ensure that function response turn comes immediately after a function call turn",
  )
}

/** In the current turn, the first call of each step must have its signature. */
function checkSignatures(contents: Contents): void {
  const begin = contents.findLastIndex(({ role, parts }) => role === "user" && parts.some(({ text }) => !isBlank(text)))
  for (const { role, parts } of contents.slice(begin)) {
    const call = parts.find(({ functionCall }) => functionCall)
    if (role !== "model" || call === undefined) continue
    refuseUnless(
      call.thoughtSignature?.startsWith(signature("").slice(0, 8)),
      "Function call is missing a thought_signature in functionCall parts",
    )
  }
}

function events({ reasoning, text, picture, calls = [], cut = false, inputTokens = 10 }: Reply) {
  const chunk = (parts: unknown[], more: object = {}) => ({
    candidates: [{ content: { role: "model", parts }, ...more }],
  })
  const said = [
    ...(typeof reasoning === "string" ? [chunk([{ text: reasoning, thought: true }])] : []),
    ...(text === undefined ? [] : [chunk([{ text }])]),
    ...(picture === undefined ? [] : [chunk([{ inlineData: picture }])]),
    ...calls.map(({ id, tool, input }, index) =>
      chunk([
        { functionCall: { id, name: tool, args: input }, ...(index === 0 && { thoughtSignature: signature(id) }) },
      ]),
    ),
    // Without calls, the signature is sent with an empty text at the end of the answer.
    ...(calls.length === 0 && text !== undefined ? [chunk([{ text: "", thoughtSignature: signature("text") }])] : []),
  ]
  const usageMetadata = { promptTokenCount: inputTokens, candidatesTokenCount: 5, totalTokenCount: inputTokens + 5 }
  const end = { ...chunk([], { finishReason: cut ? "MAX_TOKENS" : "STOP" }), usageMetadata }
  return { begun: said.slice(0, 1), rest: [...said.slice(1), end] }
}
