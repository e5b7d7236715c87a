/** A mail server for tests, which accepts every mail over SMTP and stores it. */
import { type AddressInfo, type Socket, createServer } from 'node:net'

/** Returns a mail without the line breaks and escapes of its transfer encoding. */
export function unfold(mail: string): string {
  return mail.replaceAll('=\r\n', '').replaceAll('=3D', '=')
}

/** A mail server that accepts and stores every mail. */
export async function openMailbox() {
  const received: string[] = []
  const serve = (socket: Socket): void => {
    let text = ''
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 mailbox')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      text += bytes.toString()
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
        if (end < 0) return
        const line = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) received.push(line)
        if (isData || !/^(DATA|QUIT)/i.test(line)) say('250 ok')
        else if (/^DATA/i.test(line)) say('354 go on')
        else socket.end('221 bye\r\n')
        isData = !isData && /^DATA/i.test(line)
      }
    })
  }
  const server = createServer(serve).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    received,
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    close: () => server.close(),
  }
}
