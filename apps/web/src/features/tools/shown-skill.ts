/** The text of a skill from its call's output, without the tags that mark its beginning and end for the model. */
export function shownSkill(output: string): string {
  return output.replace(/^<skill [^\n]*>\n/, "").replace(/\n<\/skill>(\n|$)/, (_, end: string) => end && "\n\n")
}
