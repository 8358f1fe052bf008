import { DocketError } from "./docket-error.ts"

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; make room and save again",
  EDQUOT: "your quota of the disk is used up; make room and save again",
  EROFS: "the file system can only be read",
  EACCES: "there is no permission on this machine to write there",
  EPERM: "there is no permission on this machine to write there",
  ENOTDIR: "a file lies where a directory is needed",
}

/** What a person is told of a file that could not be replaced as a whole: why, and that nothing is lost. */
export function notWritten(file: string, cause: unknown): DocketError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const words = cause instanceof Error ? cause.message : String(cause)
  const message = `${file} was not written: ${reasons[code] ?? words}. The file is as it was.`
  return new DocketError("file_not_written", message, { cause })
}
