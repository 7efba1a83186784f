/** Module signals are frozen on the server; the tests of client code run as the browser does, so there they are not. */
process.env.SSR = ''
