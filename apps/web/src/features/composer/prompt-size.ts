import { maxPromptBytes } from "@docket/core/prompt-limit"

/** The error for a prompt that is too large; null when it fits. */
export function promptSizeProblem(text: string): string | null {
  // A UTF-16 unit has at most 3 bytes in UTF-8: most prompts need not be encoded to be measured.
  if (text.length * 3 <= maxPromptBytes) return null
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= maxPromptBytes) return null
  const size = (bytes / maxPromptBytes).toFixed(1)
  return `This prompt is ${size} MB and the most is 1 MB. Save the text as a file in the project and mention it with @.`
}
