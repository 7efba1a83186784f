// Network-router is the network of tests: clients in network namespaces of their own, and a site in the namespace that
// the router is started in. Every packet between them passes through this process, which delays, drops, translates and
// records it. It needs root and /dev/net/tun; namespaces and devices end with the process.
//
// It reads lines of JSON from its input: first the configuration, then commands, each answered by one line, in order.
// It ends with its input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// configuration names the site's device, its addresses with their prefixes, and the clients.
type configuration struct {
	Device    string   `json:"device"`
	Addresses []string `json:"addresses"`
	Clients   []struct {
		// Addresses with their prefixes, as the client's own device has them.
		Addresses []string `json:"addresses"`
		// NatAddress is the IPv4 address that the others see; the client's own if it is empty.
		NatAddress string `json:"natAddress"`
	} `json:"clients"`
}

// command changes the link of a client, or the record of all.
type command struct {
	Client    int         `json:"client"`
	Condition *condition  `json:"condition"`
	Rebinds   bool        `json:"rebinds"`
	Capture   *captureSet `json:"capture"`
}

// captureSet names the files that packets are recorded in; none ends the record.
type captureSet struct {
	Site    string   `json:"site"`
	Clients []string `json:"clients"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	output := json.NewEncoder(os.Stdout)
	if err := run(input, output); err != nil {
		_ = output.Encode(map[string]string{"error": err.Error()})
		os.Exit(1)
	}
}

func run(input *bufio.Scanner, output *json.Encoder) error {
	var config configuration
	if !input.Scan() {
		return fmt.Errorf("there is no configuration: %v", input.Err())
	}
	if err := json.Unmarshal(input.Bytes(), &config); err != nil {
		return err
	}
	network, namespaces, err := openNetwork(config)
	if err != nil {
		return err
	}
	if err := output.Encode(map[string][]string{"namespaces": namespaces}); err != nil {
		return err
	}
	for input.Scan() {
		var next command
		if err := json.Unmarshal(input.Bytes(), &next); err != nil {
			return err
		}
		if err := network.apply(next); err != nil {
			return err
		}
		if err := output.Encode(map[string]bool{"done": true}); err != nil {
			return err
		}
	}
	return input.Err()
}
