import { Redactions } from "../../ui/redactions.tsx"
import { type AnsiStyle, ansiPieces, styleClasses } from "./ansi-pieces.ts"

/** Terminal text in the colours of the theme. */
export function AnsiText({ text, style }: { text: string; style?: AnsiStyle }) {
  const { pieces } = ansiPieces(text, style)
  return pieces.map((piece, index) => {
    const words = styleClasses(piece.style)
    // Pieces have no identity except their position.
    const key = String(index)
    return (
      <span key={key} data-ansi={words === "" ? undefined : words}>
        <Redactions text={piece.text} />
      </span>
    )
  })
}
