import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { PromptInput, Turn, TurnID } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { SessionInput } from "./input.ts"
import { inner, mutation, query } from "./operation.ts"
import { invalid, missing } from "./refusals.ts"
import { ofSession, RestPrompt } from "./session-route.ts"

/** A prompt to a session. */
export const SubmitInput = PromptInput.extend(SessionInput.shape)

/** What becomes of a prompt that waits: `before` which one it runs (null: last), or `now`. */
const PromptChange = z.object({ before: TurnID.nullable().optional(), now: z.boolean().optional() })

const ofTurn = { schema: TurnID, called: "turn" }
const aTurn = {
  description: "the turn; `turn.updated` tells how it goes on, and its `status` when it has ended",
  schema: Turn,
}

export const sessionPromptOperations = {
  /** Queues a prompt and answers at once with the queued turn. Events tell how it goes on. */
  promptAsync: mutation({
    capability: "prompt",
    audit: records("prompted"),
    input: SubmitInput,
    idempotent: {
      row: "turn",
      as: { name: "prompt.submit", input: ({ sessionID, ...input }) => ({ sessionID, input }) },
    },
    member: true,
    needs: "files-if-there",
    async run({ prompt }, { sessionID, ...input }, { id, asker }) {
      if (input.system !== undefined && !asker.may("settings.manage"))
        throw new DocketError(
          "forbidden",
          "Only who may change agents may give a prompt a system text (settings.manage). Say it in the prompt itself.",
        )
      return prompt.submit(sessionID, input, id)
    },
    rest: {
      method: "post",
      path: "/sessions/{id}/prompts",
      operationID: "promptSession",
      summary: "Queues a prompt. A request that is sent again under its `Idempotency-Key` prompts once.",
      item: ofSession,
      body: RestPrompt,
      status: 201,
      answer: aTurn,
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ sessionID: id, ...body }),
      about: ({ id }) => ({ turn: id }),
    },
  }),

  /** One turn: how far it is, and how it ended. */
  turn: query({
    input: z.object({ turnID: TurnID }),
    needs: "rows",
    run: ({ prompt }, { turnID }) => prompt.get(turnID),
    rest: {
      method: "get",
      path: "/turns/{id}",
      operationID: "getTurn",
      summary: "One turn: how far it is, and how it ended.",
      item: ofTurn,
      status: 200,
      answer: aTurn,
      refusals: missing,
      read: ({ id }) => ({ turnID: id }),
    },
  }),

  /** Answers when a turn has ended or the signal aborts. */
  wait: inner({
    needs: "rows",
    run: ({ prompt }, { turnID, signal }: { turnID: string; signal?: AbortSignal | undefined }) =>
      prompt.wait(turnID, signal),
  }),

  /** Takes a queued prompt back. `withdrawn` is false when it already runs. */
  withdraw: mutation({
    capability: "prompt",
    audit: records("prompt.withdrawn", { results: ["withdrawn"] }),
    input: z.object({ turnID: TurnID }),
    // For a hidden turn the answer is that of an unknown turn.
    target: null,
    needs: "rows",
    async run({ prompt }, { turnID }, { visibility }) {
      const isSeen = visibility === null || (await visibility.sees("turn", turnID))
      return { withdrawn: isSeen && (await prompt.withdraw(turnID)) }
    },
    rest: {
      method: "delete",
      path: "/turns/{id}",
      operationID: "withdrawPrompt",
      summary: "Takes a queued prompt back. `withdrawn` is false when it already runs, or is unknown.",
      item: ofTurn,
      status: 200,
      answer: { description: "whether it was taken back", schema: z.object({ withdrawn: z.boolean() }) },
      refusals: {},
      read: ({ id }) => ({ turnID: id }),
    },
  }),

  /**
   * Changes a queued prompt: its content, its place, or with `now` that the turn that runs reads it before its next step.
   * `changed` is false when it already runs.
   */
  changePrompt: mutation({
    capability: "prompt",
    audit: records("prompted", { facts: ["now"] }),
    input: PromptChange.extend({ turnID: TurnID, parts: PromptInput.shape.parts.optional() }),
    run: async ({ prompt }, { turnID, ...change }) => ({ changed: (await prompt.change(turnID, change)) !== null }),
    rest: {
      method: "patch",
      path: "/turns/{id}",
      operationID: "changePrompt",
      summary: "Changes a queued prompt, its place, or lets the running turn read it `now`. Not when it already runs.",
      item: ofTurn,
      body: PromptChange.extend({ parts: RestPrompt.shape.parts.optional() }),
      status: 200,
      answer: { description: "whether it was changed", schema: z.object({ changed: z.boolean() }) },
      refusals: { ...invalid, ...missing },
      read: ({ id, body }) => ({ turnID: id, ...body }),
    },
  }),

  /**
   * Stops the session and everything under it, and answers when all of it has stopped. `withdrawn` lists the
   * session's queued prompts, which nobody has read.
   */
  abort: mutation({
    capability: "prompt",
    audit: records("stopped"),
    input: SessionInput,
    needs: "rows",
    run: async ({ abort }, { sessionID }) => ({ withdrawn: await abort(sessionID) }),
    rest: {
      method: "post",
      path: "/sessions/{id}/stop",
      operationID: "stopSession",
      summary: "Stops the session and everything under it, and answers when all of it has stopped.",
      item: ofSession,
      status: 200,
      answer: {
        description: "the session's queued prompts, which nobody has read",
        schema: z.object({ withdrawn: z.array(Turn) }),
      },
      refusals: missing,
      read: ({ id }) => ({ sessionID: id }),
    },
  }),
}
