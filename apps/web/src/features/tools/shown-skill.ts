/** What a skill says, out of the result of its call: without the frame that tells the model where it begins and ends. */
export function shownSkill(output: string): string {
  return output.replace(/^<skill [^\n]*>\n/, "").replace(/\n<\/skill>(\n|$)/, (_, end: string) => end && "\n\n")
}
