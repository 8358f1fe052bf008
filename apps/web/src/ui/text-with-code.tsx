import { Redactions } from "./redactions.tsx"

/** A sentence of Docket's or a model's with its `code` set as code; nothing else of it is read as markup. */
export function TextWithCode({ text }: { text: string }) {
  return text
    .split(/`([^`\n]+)`/)
    .map((piece, index) =>
      index % 2 === 0 ? <Redactions key={index} text={piece} /> : <code key={index}>{piece}</code>,
    )
}
