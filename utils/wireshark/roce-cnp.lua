-- SPDX-License-Identifier: GPL-2.0-only
--
-- Names RoCEv2 congestion notification packets (BTH opcode 0x81), which Wireshark up to 4.0 shows
-- as "Unknown OpCode", and the READ ACKs of this module (0xe1, of the manufacturers' range):
--
--   tshark -X lua_script:utils/wireshark/roce-cnp.lua -r capture.pcap
--
-- or copy this file into Wireshark's folder of personal plugins. Adds the filter "roce_cnp".

local CNP_OPCODE = 0x81
local READ_ACK_OPCODE = 0xe1

local opcode = Field.new("infiniband.bth.opcode")
local queue_pair = Field.new("infiniband.bth.destqp")

local cnp = Proto("roce_cnp", "RoCEv2 Congestion Notification Packet")
local field_qp = ProtoField.uint32("roce_cnp.qp", "Queue pair to slow down", base.HEX)
cnp.fields = {field_qp}

function cnp.dissector(buffer, packet, tree)
    local found = opcode()
    if found and found.value == CNP_OPCODE then
        local qp = queue_pair().value
        packet.cols.info = string.format("CNP QP=0x%06x", qp)
        tree:add(cnp):add(field_qp, qp)
    elseif found and found.value == READ_ACK_OPCODE then
        packet.cols.info = string.format("READ ACK QP=0x%06x", queue_pair().value)
    end
end

register_postdissector(cnp)
