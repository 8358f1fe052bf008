import type { ShareCard } from "./share-card.ts"

/** The image size that sites expect for link previews (px). */
export const cardSize = { width: 1_200, height: 630 }

/** Colours of the dark theme: an image cannot use CSS variables. */
const colours = {
  background: "#0f1115",
  surface: "#14161b",
  border: "#282c36",
  text: "#e9ebf0",
  text2: "#b9bfcb",
  text3: "#969dac",
  accent: "#8b9dff",
  done: "#6fcf97",
  running: "#7ab0ff",
}

/** The preview image of a link: title, author and figures; for a link to a part, that part. */
export function CardPicture({ card }: { card: ShareCard }) {
  const { title, author, figures, state, todos, excerpt } = card
  return (
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        width: "100%",
        height: "100%",
        padding: "56px 64px 52px",
        background: colours.background,
        borderLeft: `12px solid ${colours.accent}`,
        color: colours.text,
        fontFamily: "Geist",
      }}
    >
      <div style={{ display: "flex", justifyContent: "space-between", alignItems: "center", fontSize: 26 }}>
        <div style={{ display: "flex", fontWeight: 600 }}>Docket</div>
        <div style={{ display: "flex", alignItems: "center", color: colours.text3 }}>
          <div
            style={{
              width: 14,
              height: 14,
              marginRight: 14,
              borderRadius: state === "Frozen" ? 3 : 7,
              background: state === "Live" ? colours.done : colours.text3,
            }}
          />
          {state}
        </div>
      </div>
      <div
        style={{
          display: "flex",
          marginTop: excerpt !== null ? 34 : todos.length > 0 ? 56 : 92,
          fontSize: excerpt !== null ? 36 : title.length > 44 ? 52 : 72,
          fontWeight: 600,
          lineHeight: 1.15,
          letterSpacing: "-0.02em",
        }}
      >
        {title}
      </div>
      {excerpt === null ? null : <ExcerptBox excerpt={excerpt} />}
      {todos.length === 0 ? null : <Checklist todos={todos} />}
      <div style={{ display: "flex", flexGrow: 1 }} />
      <div style={{ display: "flex", flexWrap: "wrap", alignItems: "baseline", fontSize: 26, color: colours.text2 }}>
        {author === null ? null : (
          <div style={{ display: "flex", marginRight: 32, color: colours.text, fontWeight: 600 }}>{author}</div>
        )}
        {figures.map((figure) => (
          <div key={figure} style={{ display: "flex", marginRight: 32 }}>
            {figure}
          </div>
        ))}
      </div>
    </div>
  )
}

function ExcerptBox({ excerpt }: { excerpt: NonNullable<ShareCard["excerpt"]> }) {
  const { kind, lines, isCode } = excerpt
  const size = lines.length > 3 ? 26 : 30
  return (
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        marginTop: 30,
        padding: "24px 30px 28px",
        border: `2px solid ${colours.border}`,
        borderRadius: 14,
        background: colours.surface,
      }}
    >
      <div style={{ display: "flex", marginBottom: 14, fontSize: 22, color: colours.accent }}>{kind}</div>
      {lines.map((line, index) => (
        <div
          // Lines have no identity except their position.
          key={String(index)}
          style={{
            display: "flex",
            fontFamily: isCode ? "Geist Mono" : "Geist",
            fontSize: size,
            lineHeight: 1.42,
            color: colours.text,
            whiteSpace: "pre",
          }}
        >
          {line}
        </div>
      ))}
    </div>
  )
}

const marks = {
  completed: { background: colours.done, border: `3px solid ${colours.done}` },
  in_progress: { background: colours.running, border: `3px solid ${colours.text}` },
  pending: { background: colours.background, border: `3px solid ${colours.text3}` },
  cancelled: { background: colours.text3, border: `3px solid ${colours.text3}`, height: 6, borderRadius: 2 },
}

function Checklist({ todos }: Pick<ShareCard, "todos">) {
  return (
    <div style={{ display: "flex", flexDirection: "column", marginTop: 36 }}>
      {todos.map(({ content, status }, index) => (
        <div
          // Items have no identity except their position.
          key={String(index)}
          style={{
            display: "flex",
            alignItems: "center",
            height: 46,
            fontSize: 28,
            color: status === "in_progress" ? colours.text : colours.text2,
            textDecoration: status === "cancelled" ? "line-through" : "none",
          }}
        >
          <div style={{ width: 20, height: 20, marginRight: 20, borderRadius: 10, ...marks[status] }} />
          {content}
        </div>
      ))}
    </div>
  )
}
