import { Redactions } from "./redactions.tsx"

/** A sentence of Docket or a model, with text in backticks as code. No other markup is interpreted. */
export function TextWithCode({ text }: { text: string }) {
  return text
    .split(/`([^`\n]+)`/)
    .map((piece, index) =>
      index % 2 === 0 ? <Redactions key={index} text={piece} /> : <code key={index}>{piece}</code>,
    )
}
