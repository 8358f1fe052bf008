import { expect, it } from "vitest"
import { readHtml } from "./read-html.ts"

it("a page becomes Markdown without what nobody reads", () => {
  const page = `<html><head><title>The title</title><style>p { color: red }</style></head><body>
    <h2>Part</h2><p>One <b>two</b> <a href="javascript:x()">bad</a> <a href="https://a.example/c">good</a></p>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
    <pre><code class="language-js">let a = 1\n</code></pre><img src="data:image/png;base64,AAAA" alt="pic">
    <script>steal()</script></body></html>`
  expect(readHtml(page, "markdown")).toBe(
    [
      "# The title",
      "## Part",
      "One **two** bad [good](https://a.example/c)",
      "| a   | b   |\n| --- | --- |\n| 1   | 2   |",
      "```js\nlet a = 1\n```",
      "pic",
    ].join("\n\n"),
  )
})

it.each(["java\nscript:x()", "\u0001javascript:x()", "&#106;avascript:x()", "vbscript:x", "da\tta:text/html,x"])(
  "the link %j loses its address",
  (href) => {
    expect(readHtml(`<p>a <a href="${href}">b</a></p>`, "markdown")).toBe("a b")
  },
)

it("of an article only the article is kept", () => {
  const paragraph = `<p>${"The main text goes on, with commas, and says what it has to say. ".repeat(8)}</p>`
  const page = `<html><head><title>News</title></head><body><nav><ul>${"<li><a href='/'>Menu</a></li>".repeat(30)}</ul></nav>
    <article><h1>News</h1>${paragraph.repeat(6)}</article><footer>Imprint</footer></body></html>`
  const text = readHtml(page, "text")
  expect(text).toContain("The main text goes on")
  expect(text).not.toContain("Menu")
})

it("plain text has one line for each block", () => {
  expect(readHtml("<p>a</p><p>b<br>c</p><script>x</script>", "text")).toBe("a\n\nb\nc".replace("\n\n", "\n"))
})

it.each([
  ["nothing", ""],
  ["text alone", "just text"],
  ["a broken page", "<html><body><p>half <b>open"],
])("a page of %s can be read", (_, html) => {
  expect(readHtml(html, "markdown")).toEqual(expect.any(String))
})
