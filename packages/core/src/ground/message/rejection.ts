/** The sentence about a task whose work a person rejected, which stands before their reason. */
export const rejectionWords = "A person rejected the work"

const reason = new RegExp(`(${rejectionWords}):[^]*?(?=\n\n<|$)`, "g")

/** A text that tells of such a task, without the reason that the person gave. */
export function withoutReason(text: string): string {
  return text.replaceAll(reason, "$1.")
}
