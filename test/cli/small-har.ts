/** A recording with one plain answer for each path. */
export const harOf = (paths: readonly string[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'x', version: '1' },
      entries: paths.map(path => ({
        startedDateTime: '2024-01-01T00:00:00.000Z',
        time: 1,
        request: {
          method: 'GET',
          url: `http://127.0.0.1:1${path}`,
          httpVersion: 'HTTP/1.1',
          headers: [],
          queryString: [],
        },
        response: { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [], content: { text: path } },
      })),
    },
  });
