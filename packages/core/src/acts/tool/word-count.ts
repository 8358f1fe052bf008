import { z } from "zod"
import { defineTool, type Tool } from "./tool.ts"

const parameters = z.strictObject({ text: z.string().describe("What to count in") })

/** Counts words. */
export function createWordCountTool(): Tool<typeof parameters> {
  return defineTool({
    id: "word_count",
    description: "Counts the words of a text, as they stand between blanks and line ends.",
    parameters,
    permission: "word_count",
    parallel: true,
    async execute({ text }) {
      const words = text.split(/\s+/).filter((word) => word !== "").length
      return { title: `${words} words`, output: String(words), metadata: { words } }
    },
  })
}
