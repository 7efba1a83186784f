// Package lines answers requests that come as lines of JSON on standard input.
package lines

import (
	"bufio"
	"encoding/json"
	"os"
	"sync"
)

// Request is one line. Fields that an operation does not need are left out.
type Request struct {
	ID      int     `json:"id"`
	Op      string  `json:"op"`
	Call    int     `json:"call"`
	Side    int     `json:"side"`
	Client  int     `json:"client"`
	Calls   int     `json:"calls"`
	Seconds float64 `json:"seconds"`
	SDP     string  `json:"sdp"`
}

type answer struct {
	ID     int    `json:"id"`
	Result any    `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Description is the result of operations that make an offer or an answer.
type Description struct {
	SDP string `json:"sdp"`
}

// Serve answers each request in a goroutine of its own, and returns when standard input ends.
func Serve(handle func(Request) (any, error)) {
	var writing sync.Mutex
	output := json.NewEncoder(os.Stdout)
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	for input.Scan() {
		var request Request
		if err := json.Unmarshal(input.Bytes(), &request); err != nil {
			panic(err)
		}
		go func() {
			result, err := handle(request)
			line := answer{ID: request.ID, Result: result}
			if err != nil {
				line.Error = err.Error()
			}
			writing.Lock()
			defer writing.Unlock()
			if err := output.Encode(line); err != nil {
				os.Exit(1)
			}
		}()
	}
}
