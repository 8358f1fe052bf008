import { z } from "zod"
import { askExternalDirectory } from "../../acts/tool/ask-external.ts"
import { numberedText } from "../../acts/tool/read.ts"
import { defineTool, type Tool } from "../../acts/tool/tool.ts"
import { resolveWorktreePath } from "../../acts/tool/worktree-path.ts"

/** Bytes of a file that a program is given. */
const longestFile = 10 * 1024 * 1024

const parameters = z.strictObject({
  filePath: z.string().min(1),
  offset: z.int().min(1).optional(),
  limit: z.int().min(0).optional(),
})

/** Reads a text file for a program: judged and shown like `read`, but the program gets the text as it is. */
export function createProgramFileTool(take: (text: string) => void): Tool<typeof parameters> {
  return defineTool({
    id: "read",
    description: "",
    parameters,
    permission: "read",
    parallel: true,
    async execute({ filePath, offset = 1, limit }, context) {
      const target = await resolveWorktreePath(context, filePath)
      await askExternalDirectory(context, target, {
        kind: "file" as const,
        reads: true,
        metadata: { kind: "path", path: target.real, act: "read" },
      })
      await context.ask({
        permission: "read",
        patterns: [target.name],
        always: ["*"],
        metadata: { kind: "files", files: [target.name] },
      })
      await using handle = await context.files.open(target.real)
      const { size } = await handle.stat({ bigint: true })
      if (size > longestFile) throw new Error(`${target.name} is larger than ${longestFile / 1024 ** 2} MiB.`)
      const whole = (await handle.readFile()).toString("utf8")
      const lines = whole.split(/(?<=\n)/)
      const chosen = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit)
      const text = chosen.join("")
      take(text)
      return {
        title: target.name,
        output: numberedText(text),
        metadata: {
          kind: "file" as const,
          file: target.name,
          startLine: offset,
          endLine: offset + Math.max(chosen.length, 1) - 1,
          totalLines: lines.length,
          truncated: false,
        },
      }
    },
  })
}
