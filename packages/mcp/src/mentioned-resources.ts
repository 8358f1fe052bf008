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
    // What ends a sentence is not part of the address.
    const uri = address.replace(/[.,;:!?]+$/, "")
    found.set(`${server}:${uri}`, { server, uri })
  }
  return [...found.values()].slice(0, mostMentioned)
}
