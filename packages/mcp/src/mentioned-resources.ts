/** `@server:scheme://…` in a prompt, at the beginning of a word. */
const mention = /(?:^|[\s(])@([\w.-]{1,64}):([a-z][a-z0-9+.-]*:\/\/[^\s)]+)/gi

/** Resources that a prompt may name. */
const mostMentioned = 10

export interface MentionedResource {
  server: string
  uri: string
}

/** The resources that a text names, each once. */
export function mentionedResources(text: string): MentionedResource[] {
  const found = new Map<string, MentionedResource>()
  for (const [, server = "", address = ""] of text.matchAll(mention)) {
    const uri = withoutEnd(address)
    found.set(`${server}:${uri}`, { server, uri })
  }
  return [...found.values()].slice(0, mostMentioned)
}

/** What ends a sentence is not part of an address. A pattern would look at a row of such signs once for each of them. */
function withoutEnd(address: string): string {
  let end = address.length
  while (end > 0 && ".,;:!?".includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}
