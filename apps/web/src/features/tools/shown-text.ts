/** The file's text from a read result, without its `<file>` tags and line numbers. */
export function shownText(output: string): string {
  return output
    .replace(/^<(file|content)>\n?/, "")
    .replace(/\n?<\/(file|content)>[\s\S]*$/, "")
    .replace(/^ *\d+[|\t→:] ?/gm, "")
    .replace(/\n?\((Lines \d|End of file|The file is empty)[^\n]*\)\s*$/, "")
}
