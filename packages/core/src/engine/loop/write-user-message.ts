import type { Caller, Part, UserMessage } from "../../ground/schema/index.ts"
import type { Stamp } from "./stamp.ts"
import type { TurnContext } from "./turn-context.ts"

type Unplaced<T> = T extends Part ? Omit<T, "id" | "sessionID" | "messageID"> : never
/** A part without its place. */
export type NewPart = Unplaced<Part>

/** Whose message it is, and where it goes. */
interface Author extends Pick<TurnContext, "session" | "model" | "variant"> {
  agent: { name: string }
  writer: Pick<TurnContext["writer"], "message" | "part" | "commentsRead">
}

/** Writes a user message with its parts; the caller waits with `writer.settled`. */
export function writeUserMessage(
  deps: Stamp,
  turn: Author,
  parts: NewPart[],
  { system, by }: { system?: string | undefined; by?: Caller | undefined } = {},
): UserMessage {
  const message: UserMessage = {
    id: deps.createID("message"),
    sessionID: turn.session.id,
    role: "user",
    agent: turn.agent.name,
    model: turn.model,
    ...(turn.variant !== null && { variant: turn.variant }),
    ...(system !== undefined && { system }),
    ...(by && { by }),
    time: { created: deps.clock() },
  }
  void turn.writer.message(message)
  for (const part of parts) {
    // The spread keeps the variant of the union that NewPart took apart.
    const placed = { ...part, id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id } as Part
    void turn.writer.part(placed)
    if (placed.type === "text" && placed.notice?.kind === "review") turn.writer.commentsRead(placed.notice, message.id)
  }
  return message
}
