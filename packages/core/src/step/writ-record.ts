import type { Stamp } from "../loop/stamp.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { Part, TextPart } from "../schema/index.ts"
import { readWritResults, runningWrits as running } from "../writ/read-results.ts"

const broken = "some of them may have taken effect. Look at how things stand before you repeat them."
const stopped = `The commands above were stopped: ${broken}`
const interrupted = `Docket was stopped while the commands above were carried out: ${broken}`

/**
 * Carries commands out between two writes of one part: that they begin, and their results. So a crash never repeats
 * them, and none that has begun is forgotten. The second write may still be on its way when this resolves.
 */
export async function recordWrits(
  deps: Pick<Stamp, "createID">,
  turn: TurnContext,
  { message, run }: { message: { id: string; sessionID: string }; run: () => Promise<string> },
): Promise<void> {
  const part: TextPart = {
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "text",
    text: running,
    synthetic: true,
  }
  void turn.writer.part(part)
  await turn.writer.settled()
  try {
    const text = await run()
    void turn.writer.part({ ...part, text })
  } catch (error) {
    void turn.writer.part({ ...part, text: stopped })
    throw error
  }
}

/** Whether a part stands for commands: begun, ended or broken off. */
export function isWritRecord(part: Part): part is TextPart {
  if (part.type !== "text" || part.synthetic !== true) return false
  return [running, stopped, interrupted].includes(part.text) || readWritResults(part.text) !== null
}

/** Says so when commands ended with the process that carried them out. */
export function closeWritRecord(turn: TurnContext, part: TextPart): void {
  if (part.text === running) void turn.writer.part({ ...part, text: interrupted })
}
