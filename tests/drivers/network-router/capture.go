package main

import (
	"bufio"
	"encoding/binary"
	"os"
	"time"
)

// linkTypeRaw: packets begin with their IP header (https://www.tcpdump.org/linktypes.html).
const linkTypeRaw = 101

const maxPacketBytes = 65_535

// capture is a file of recorded packets in the format of libpcap.
type capture struct {
	file   *os.File
	writer *bufio.Writer
}

func openCapture(path string) (*capture, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	opened := &capture{file, bufio.NewWriter(file)}
	header := []uint32{0xa1b2c3d4, 2 | 4<<16, 0, 0, maxPacketBytes, linkTypeRaw}
	return opened, binary.Write(opened.writer, binary.LittleEndian, header)
}

// record is a no-op without a capture.
func (c *capture) record(bytes []byte) {
	if c == nil {
		return
	}
	now := time.Now()
	length := uint32(len(bytes))
	header := []uint32{uint32(now.Unix()), uint32(now.Nanosecond() / 1000), length, length}
	_ = binary.Write(c.writer, binary.LittleEndian, header) // close reports what could not be written
	_, _ = c.writer.Write(bytes)
}

func (c *capture) close() error {
	if c == nil {
		return nil
	}
	if err := c.writer.Flush(); err != nil {
		return err
	}
	return c.file.Close()
}
