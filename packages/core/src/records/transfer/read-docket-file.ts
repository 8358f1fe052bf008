import { z } from "zod"
import { FileSession, MessageWithParts, SessionFile, sessionFileFormat } from "../../ground/schema/index.ts"
import { badFile, problemAt } from "./bad-file.ts"

const Head = z.object({ version: z.number() })
const Shell = SessionFile.extend({
  sessions: z.array(FileSession.extend({ messages: z.array(z.unknown()) })).min(1),
})

/** @throws DocketError invalid_input for a file of a later version, or one that is not as its version has it */
export async function readDocketFile(value: unknown, breathe: () => Promise<void>): Promise<SessionFile> {
  const { version } = Head.safeParse(value).data ?? { version: 0 }
  if (version > sessionFileFormat.version) {
    throw badFile(
      `it is of version ${version}, and this Docket reads up to ${sessionFileFormat.version}. Update Docket first.`,
    )
  }
  const shell = Shell.safeParse(value)
  if (!shell.success) throw problemAt("", shell.error)
  const sessions: FileSession[] = []
  for (const [index, session] of shell.data.sessions.entries()) {
    const messages: MessageWithParts[] = []
    for (const [nth, message] of session.messages.entries()) {
      await breathe()
      const read = MessageWithParts.safeParse(message)
      if (!read.success) throw problemAt(`sessions[${index}].messages[${nth}]`, read.error)
      messages.push(read.data)
    }
    sessions.push({ ...session, messages })
  }
  return { ...shell.data, sessions }
}
