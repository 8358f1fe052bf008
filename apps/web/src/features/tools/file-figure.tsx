import { FileText } from "lucide-react"
import type { ReactNode } from "react"
import { formatSize } from "../../ui/format.ts"
import styles from "./file-figure.module.css"
import { leftOutLabel, type ShownFile } from "./shown-file.ts"

/** px; a picture is drawn no larger than this in its place, and never larger than it is. */
const most = { width: 480, height: 320 }

interface FilesProps {
  files: readonly ShownFile[]
  /** How a press on a picture opens it; a link to the picture itself when left out. */
  open?: (file: ShownFile, face: ReactNode) => ReactNode
}

/** Pictures in their place, with room kept for them before they arrive, and other files as links that save them. */
export function FileFigures({ files, open = linked }: FilesProps) {
  if (files.length === 0) return null
  return (
    <div className={styles.files}>
      {files.map((file) => (
        <FileFigure key={file.key} file={file} open={open} />
      ))}
    </div>
  )
}

function FileFigure({ file, open }: { file: ShownFile; open: NonNullable<FilesProps["open"]> }) {
  const { kind, address, name, size } = file
  if (address === null) return <span className={styles.file}>{leftOutLabel(file)}</span>
  if (kind === "picture") return open(file, <Picture file={file} />)
  return (
    <a className={styles.file} href={address} download={name}>
      <FileText size={13} aria-hidden />
      <span className={styles.name}>{name}</span>
      {size === null ? null : <span className={styles.size}>{formatSize(size)}</span>}
    </a>
  )
}

function linked({ address, key }: ShownFile, face: ReactNode): ReactNode {
  return (
    <a key={key} className={styles.picture} href={address ?? undefined} target="_blank" rel="noreferrer">
      {face}
    </a>
  )
}

/** The picture alone. Its box has its size before it is loaded, so that nothing on the page moves. */
export function Picture({ file, whole = false }: { file: ShownFile; whole?: boolean }) {
  const { address, name, width, height } = file
  const box = width === null || height === null ? { width: 240, height: 160 } : { width, height }
  const scale = whole ? 1 : Math.min(1, most.width / box.width, most.height / box.height)
  return (
    // biome-ignore lint/performance/noImgElement: its address needs the reader's own login, which Next's loader lacks
    <img
      className={styles.image}
      src={address ?? undefined}
      alt={name}
      loading={whole ? "eager" : "lazy"}
      decoding="async"
      style={{ width: Math.max(16, Math.round(box.width * scale)), aspectRatio: `${box.width} / ${box.height}` }}
    />
  )
}
