import { createHighlighterCore, type HighlighterCore, type LanguageRegistration } from "shiki/core"
import { createJavaScriptRegexEngine } from "shiki/engine/javascript"
import githubDark from "shiki/themes/github-dark-default.mjs"
import githubLight from "shiki/themes/github-light-default.mjs"
import { loadPart } from "../../ui/load-part.ts"

type LanguageModule = { default: LanguageRegistration[] }

/** Languages whose grammar is loaded when a block first needs it. Other languages stay plain. */
const grammars: Record<string, () => Promise<LanguageModule>> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  graphql: () => import("shiki/langs/graphql.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  jsonc: () => import("shiki/langs/jsonc.mjs"),
  jsx: () => import("shiki/langs/jsx.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  prisma: () => import("shiki/langs/prisma.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  svelte: () => import("shiki/langs/svelte.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  vue: () => import("shiki/langs/vue.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
}

const aliases: Record<string, string> = {
  cc: "cpp",
  cjs: "javascript",
  cs: "csharp",
  dockerfile: "docker",
  gql: "graphql",
  h: "c",
  hpp: "cpp",
  htm: "html",
  js: "javascript",
  kt: "kotlin",
  makefile: "make",
  md: "markdown",
  mdx: "markdown",
  mjs: "javascript",
  mts: "typescript",
  patch: "diff",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  shell: "bash",
  svg: "xml",
  ts: "typescript",
  yml: "yaml",
  zsh: "bash",
}

/** Longer blocks stay plain, because tokenizing them would block the page (UTF-16 units). */
const longestHighlighted = 30_000

/** A piece of text in one colour. `style` sets `--shiki-light` and `--shiki-dark`; CSS picks one. */
export interface CodeToken {
  content: string
  style: Record<string, string>
}

export interface CodeHighlighter {
  /** Lines of tokens, or null when the block should stay plain. */
  highlight(code: string, language: string): Promise<CodeToken[][] | null>
}

/** Gives each token the colours of both themes, as CSS variables. The JavaScript regex engine needs no WASM. */
export function createCodeHighlighter(): CodeHighlighter {
  let core: Promise<HighlighterCore> | null = null
  const loaded = new Map<string, Promise<void>>()

  async function load(language: string): Promise<HighlighterCore | null> {
    const grammar = grammars[language]
    if (!grammar) return null
    core ??= createHighlighterCore({
      themes: [githubLight, githubDark],
      langs: [],
      engine: createJavaScriptRegexEngine({ forgiving: true }),
    })
    const highlighter = await core
    const pending = loaded.get(language) ?? loadPart(grammar).then((module) => highlighter.loadLanguage(module.default))
    loaded.set(language, pending)
    // After a failure, the next block tries again.
    pending.catch(() => loaded.delete(language))
    await pending
    return highlighter
  }

  return {
    async highlight(code, name) {
      const lower = name.toLowerCase()
      const language = aliases[lower] ?? lower
      if (code.length > longestHighlighted) return null
      const highlighter = await load(language)
      if (highlighter === null) return null
      const { tokens } = highlighter.codeToTokens(code, {
        lang: language,
        themes: { light: "github-light-default", dark: "github-dark-default" },
        defaultColor: false,
        // A line that is stopped in the middle gives the following lines a wrong start. The length limit bounds the
        // work instead.
        tokenizeTimeLimit: 0,
      })
      return tokens.map((line) => line.map((token) => ({ content: token.content, style: tokenStyle(token.htmlStyle) })))
    },
  }
}

function tokenStyle(style: unknown): Record<string, string> {
  return typeof style === "object" && style !== null ? Object.fromEntries(Object.entries(style)) : {}
}
