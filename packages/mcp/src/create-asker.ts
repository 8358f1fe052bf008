import type { ToolContext } from "@docket/core/tool"
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitResult,
  SamplingMessage,
} from "@modelcontextprotocol/client"
import { type AskedField, type FieldValue, fieldsOf, mostFields, shown } from "./ask-form.ts"

/** Answers what a server asks while one of its tools is called. */
export interface Asker {
  /** The session of the call. */
  sessionID: string
  /** A form, or an address that is to be opened. */
  elicit(request: ElicitRequest["params"]): Promise<ElicitResult>
  /** A text of the session's model. @throws Error when the user or a limit refuses it */
  sample(request: CreateMessageRequest["params"]): Promise<CreateMessageResult>
}

type AskingContext = Pick<ToolContext, "sessionID" | "inquire" | "ask" | "askModel">

/** How often a server may ask during a call, fields of a form, and characters of what it asks the model. */
const most = { asked: 20, fields: 40, characters: 100_000 } as const
/** How often a person is asked for values that fit. */
const mostTries = 3
/** Characters of what a server writes to people. */
const longestText = 1_500

/**
 * Answers one thing after the other, and only so many.
 * @param permission under which the tool is called: where it is denied, nobody is asked
 * @param digest what tells the server's configuration from another: "always" is for this one
 */
export function createAsker(
  context: AskingContext,
  { server, permission, digest }: AskedServer & { digest: string },
): Asker {
  let asked = 0
  let open: Promise<unknown> = Promise.resolve()
  const inTurn = async <T>(ask: () => Promise<T>): Promise<T> => {
    asked += 1
    if (asked > most.asked) throw new Error(`A call may ask ${most.asked} times, and this one has.`)
    const answered = open.then(ask)
    open = answered.catch(() => undefined)
    return answered
  }
  return {
    sessionID: context.sessionID,
    elicit: (request) =>
      inTurn(() =>
        request.mode === "url"
          ? askForAddress(context, { server, permission }, request)
          : askForForm(context, { server, permission }, request),
      ),
    sample: (request) => inTurn(() => askForText(context, { server, permission, digest }, request)),
  }
}

async function askForText(
  { ask, askModel }: AskingContext,
  { server, permission, digest }: AskedServer & { digest: string },
  { messages, systemPrompt: system, maxTokens, temperature, stopSequences }: CreateMessageRequest["params"],
): Promise<CreateMessageResult> {
  const asked = messages.map((message) => ({ role: message.role, text: textOf(message) }))
  const input = { ...(system !== undefined && { system }), messages: asked }
  if (JSON.stringify(input).length > most.characters)
    throw new Error(`The model is asked nothing of more than ${most.characters} characters.`)
  const pattern = `model ${digest}`
  await ask({
    permission,
    patterns: [pattern],
    always: [pattern],
    metadata: {
      kind: "other",
      title: `${server} lets your model answer: ${shown(asked.at(-1)?.text ?? "", 300)}`,
      server: { name: server, use: "model" },
      input,
    },
  })
  const { text, model, isCut } = await askModel({
    ...{ system, messages: asked, maxTokens, temperature, stop: stopSequences },
  })
  return {
    role: "assistant",
    content: { type: "text", text },
    model: `${model.providerID}/${model.modelID}`,
    stopReason: isCut ? "maxTokens" : "endTurn",
  }
}

interface AskedServer {
  server: string
  permission: string
}

async function askForAddress(
  { inquire }: AskingContext,
  { server, permission }: AskedServer,
  { message, url }: Extract<ElicitRequest["params"], { mode: "url" }>,
): Promise<ElicitResult> {
  const opened = "I have opened it"
  const question = {
    header: "Open an address",
    // The whole address stands there, for who opens it has to see where it leads.
    question: `The MCP server “${server}” asks you to open\n\n${shown(url, 8_000)}\n\n${shown(message, longestText)}`,
    options: [
      { label: opened, description: "Open it yourself, and only if you know it." },
      { label: "No", description: "" },
    ],
    multiple: false,
  }
  const { answers } = await inquire({ permission, metadata: { kind: "question", questions: [question] } })
  if (answers === undefined) return { action: "cancel" }
  return { action: answers[0]?.choices.includes(opened) ? "accept" : "decline" }
}

async function askForForm(
  { inquire }: AskingContext,
  { server, permission }: AskedServer,
  { message, requestedSchema }: ElicitRequestFormParams,
): Promise<ElicitResult> {
  const fields = fieldsOf(requestedSchema)
  if (fields.length > most.fields) throw new Error(`A form may have ${most.fields} fields, and this one has more.`)
  const content: Record<string, FieldValue> = {}
  const about = `The MCP server “${server}” asks: ${shown(message, longestText)}`
  if (fields.length === 0) {
    const question = { header: "Agree", question: about, options: yesOrNo, multiple: false }
    const { answers } = await inquire({ permission, metadata: { kind: "question", questions: [question] } })
    if (answers === undefined) return { action: "cancel" }
    return answers[0]?.choices.includes("Yes") ? { action: "accept", content } : { action: "decline" }
  }
  let open: (AskedField & { problem?: string })[] = fields
  for (let tries = 1; open.length > 0 && tries <= mostTries; tries++) {
    const wrong: typeof open = []
    for (let at = 0; at < open.length; at += mostFields) {
      const asked = open.slice(at, at + mostFields)
      const questions = asked.map(({ question, problem }, index) => ({
        ...question,
        // Each stands on its own on the card: a question without a name would look like Docket's.
        question: [
          index === 0 ? about : `The MCP server “${server}” also asks:`,
          question.question,
          problem ? `(Again: ${problem}.)` : "",
        ]
          .filter((text) => text !== "")
          .join("\n\n"),
      }))
      const { answers, message: why } = await inquire({ permission, metadata: { kind: "question", questions } })
      if (answers === undefined) return { action: why === null ? "cancel" : "decline" }
      for (const [index, field] of asked.entries()) {
        const read = field.read(answers[index] ?? { choices: [], own: null })
        if ("problem" in read) wrong.push({ ...field, problem: read.problem })
        else if (read.value !== undefined) content[field.key] = read.value
        else if (field.isRequired && !hasDefault(requestedSchema, field.key))
          wrong.push({ ...field, problem: "it is needed" })
      }
    }
    open = wrong
  }
  return open.length === 0 ? { action: "accept", content } : { action: "cancel" }
}

const yesOrNo = [
  { label: "Yes", description: "" },
  { label: "No", description: "" },
]

function hasDefault({ properties }: ElicitRequestFormParams["requestedSchema"], key: string): boolean {
  return "default" in Object(properties[key])
}

/** What is no text is named: the model that answers gets no files of a server. */
function textOf({ content }: SamplingMessage): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n")
}
