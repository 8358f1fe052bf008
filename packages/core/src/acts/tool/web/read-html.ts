import { gfm } from "@joplin/turndown-plugin-gfm"
import { isProbablyReaderable, Readability } from "@mozilla/readability"
import { parseHTML } from "linkedom"
import TurndownService from "turndown"

/** What is used here of an element; the types of the libraries need those of a browser. */
interface PageElement {
  nodeName: string
  textContent: string | null
  innerHTML: string
  getAttribute(name: string): string | null
  append(text: string): void
  remove(): void
}

interface PageDocument {
  body: PageElement | null
  documentElement: PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
}

function parse(html: string): PageDocument {
  // linkedom gives the same members as a browser.
  return parseHTML(html).document as unknown as PageDocument
}

/** What never is text of a page. */
const noise = "script, style, noscript, template, iframe, object, embed, svg, canvas, link, meta"

/**
 * The text of a page as Markdown or plain text: the article where there is one, else all of it. Takes long for large
 * pages, so it runs in a thread of its own (`page-thread.ts`).
 * @param given HTML without its compression, at most a few MB
 */
export function readHtml(given: string, format: "markdown" | "text"): string {
  const html = /<(?:html|body)\b/i.test(given) ? given : `<html><body>${given}</body></html>`
  const { title, body } = articleOf(html) ?? wholePage(html)
  const text = format === "markdown" ? toMarkdown(body) : toText(body)
  const hasTitle = title === "" || text.slice(0, 500).includes(title)
  return hasTitle ? text : `${format === "markdown" ? "# " : ""}${title}\n\n${text}`
}

interface PageContent {
  title: string
  /** HTML */
  body: string
}

/** With more elements, a page is no article: to look for one would take too long. */
const MAX_ELEMENTS = 20_000

/** The main part of a page that is an article; null for any other page. */
function articleOf(html: string): PageContent | null {
  const elements = html.match(/<[a-z]/gi)?.length ?? 0
  if (elements > MAX_ELEMENTS) return null
  const { document } = parseHTML(html)
  if (!isProbablyReaderable(document)) return null
  const article = new Readability(document).parse()
  // A very short part is a mistake of the guess.
  const isArticle = article?.content && (article.length ?? 0) > 500
  return isArticle ? { title: article.title?.trim() ?? "", body: article.content ?? "" } : null
}

function wholePage(html: string): PageContent {
  const document = parse(html)
  const title = document.querySelector("title")?.textContent?.trim() ?? ""
  for (const element of document.querySelectorAll(noise)) element.remove()
  return { title, body: document.body?.innerHTML || document.documentElement?.innerHTML || html }
}

function toMarkdown(html: string): string {
  const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" })
  turndown.use(gfm)
  turndown.remove(["script", "style", "noscript"])
  // Browsers leave out white space and control characters, so these may stand inside the scheme's name.
  const attribute = (node: unknown, name: string) => (node as PageElement).getAttribute(name)?.trim() ?? ""
  const address = (node: unknown, name: string) => attribute(node, name).replace(/[^!-\uffff]/g, "")
  // What a link of these kinds does, no reader of text can use.
  turndown.addRule("links without use", {
    filter: (node) => isNamed(node, "A") && /^(?:javascript|vbscript|data):/i.test(address(node, "href")),
    replacement: (content) => content,
  })
  turndown.addRule("pictures in place", {
    filter: (node) => isNamed(node, "IMG") && /^data:/i.test(address(node, "src")),
    replacement: (_, node) => attribute(node, "alt"),
  })
  return turndown.turndown(html).trim()
}

function isNamed(node: unknown, name: string): boolean {
  return (node as PageElement).nodeName === name
}

const blocks = "p, div, li, tr, h1, h2, h3, h4, h5, h6, pre, blockquote, section, article, br, table"

function toText(html: string): string {
  const document = parse(`<html><body>${html}</body></html>`)
  for (const element of document.querySelectorAll(blocks)) element.append("\n")
  const lines = (document.body?.textContent ?? "").split("\n").map((line) => line.replace(/[ \t]+/g, " ").trim())
  return lines
    .filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n")
    .trim()
}
