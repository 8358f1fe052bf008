import { describe, expect, it } from "vitest"
import { createCodeHighlighter } from "../markdown/highlight.ts"
import { createMarkdownRenderer } from "./render-markdown.ts"

const renderer = createMarkdownRenderer({
  highlighter: createCodeHighlighter(),
  tokenClass: "tk",
  plainClass: "plain",
  capacity: 2,
})

describe("createMarkdownRenderer", () => {
  it("shows raw HTML as the text that it is", async () => {
    const html = await renderer.markdown(
      "a <img src=x onerror=alert(1)> <script>alert(2)</script>\n\n<iframe src=y></iframe>",
    )
    expect(html).not.toMatch(/<(img|script|iframe)/)
    expect(html).toContain("&#x3C;script>")
  })

  it("links to http, https and mailto only, away from the app", async () => {
    const html = await renderer.markdown(
      "[a](javascript:alert(1)) [b](data:text/html,x) [c](https://e.test) [d](mailto:a@e.test)",
    )
    expect(html).not.toMatch(/javascript:|data:/)
    expect(html).toContain('<a href="https://e.test" rel="noopener noreferrer" target="_blank">c</a>')
    expect(html).toContain('href="mailto:a@e.test"')
    expect(html).toContain("<span>a</span> <span>b</span>")
  })

  it("shows a link's host when its text names another", async () => {
    const shown = async (text: string) => (await renderer.markdown(text)).replace(/<[^>]+>/g, "")
    expect(await shown("[https://bank.example](https://evil.example/x)")).toBe("https://bank.example (evil.example)")
    expect(await shown("[**bank.example**](https://evil.example)")).toBe("bank.example (evil.example)")
    expect(await shown("[https://bank.example@evil.example](https://evil.example)")).not.toContain("(")
    expect(await shown("[see www.bank.example here](http://evil.example:81)")).toContain("(evil.example:81)")
    expect(await shown("[the bank](https://evil.example) and https://bank.example/a")).not.toContain("(")
    expect(await shown("[www.bank.example](https://bank.example/login)")).toBe("www.bank.example")
    expect(await shown("[https://bank.example](//evil.example/x)")).toBe("https://bank.example (evil.example)")
    expect(await shown("[https://bank.example](/device?user_code=ABCD)")).toBe("https://bank.example (this service)")
    expect(await shown("[README.md](README.md) and [a page](/settings)")).toBe("README.md and a page")
  })

  it("turns images into links, so that nothing is loaded", async () => {
    const html = await renderer.markdown("![a chart](https://e.test/x.png)")
    expect(html).not.toContain("<img")
    expect(html).toContain('href="https://e.test/x.png"')
    expect(html).toContain(">a chart</a>")
  })

  it("colours code for both themes and leaves unknown languages plain", async () => {
    expect(await renderer.code("const a = 1", "ts")).toMatch(/class="tk" style="--shiki-light:#\w+;--shiki-dark:#\w+"/)
    expect(await renderer.code("x ``` y", "nothing")).toContain("x ``` y")
  })

  it("sets redaction labels apart, in text and in code", async () => {
    const label = '<span class="redacted">redacted: AWS access key</span>'
    expect(await renderer.markdown("It is [redacted: AWS access key].")).toBe(`<p>It is ${label}.</p>`)
    expect(await renderer.code("const key = '[redacted: AWS access key]'", "ts")).toContain(`const key = '${label}'`)
  })

  it("parses only the beginning of a long text and omits nothing", async () => {
    const paragraphs = Array.from({ length: 10_000 }, (_, at) => `*p${at}*`)
    for (const text of [paragraphs.join("\n\n"), paragraphs.map((line) => `- ${line}`).join("\n")]) {
      const html = await renderer.markdown(text)
      expect(html.match(/<\w/g)?.length).toBeLessThanOrEqual(2 * 500 + 1)
      expect(html).toContain("*p9999*")
      expect(html.match(/\bp\d+/g)).toHaveLength(10_000)
    }
  })

  it("keeps headings on the level below a turn and names check boxes", async () => {
    expect(await renderer.markdown("# One\n\n#### Four")).toBe("<h3>One</h3>\n<h3>Four</h3>")
    expect(await renderer.markdown("- [x] a")).toContain('aria-label="done"')
  })
})
